/** The mail cannot be made or sent, now or later. */
export class MailFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MailFault';
  }
}
