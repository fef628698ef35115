/** What sessions are answered as, for the document of the console's interface. */
import { constant, described, flag, integer, listOf, object, text } from '@sevenfold/chassis/http/shapes';

const session = {
  id: described('Name of the session.', text),
  name: described('What the client called itself.', text),
  user_agent: described('What the client said that it is, when it was heard of last.', text),
  network: described('Network that it was heard of from last, such as 192.0.2.0/24.', text),
  created: described('When it began, ISO 8601 in UTC.', text),
  last_used: described('When a token of it was used last, ISO 8601 in UTC.', text),
  expires: described('When it ends unless it is refreshed before, ISO 8601 in UTC.', text),
  by_application_password: described('Whether it was begun with an application password.', flag),
};

export const sessionList = listOf(
  object({ ...session, current: described('Whether it is the one of the token that asks.', flag) }),
);

export const endedSession = object({
  deleted: described('It has ended.', constant(true)),
  previous: described('What it was.', object(session)),
});

export const endedSessions = object({ ended: described('How many there were.', integer) });

export const grant = object({
  access_token: described('Opens the interface, as `Authorization: Bearer …`.', text),
  token_type: described('How it is sent.', constant('Bearer')),
  expires_in: described('Seconds for which it is good.', integer),
  refresh_token: described('Good for one exchange.', text),
  refresh_expires_in: described('Seconds for which that is good.', integer),
  session: described('Name of the session.', text),
  user: described(
    'Who logged in.',
    object({
      id: described('Number of the user.', integer),
      username: described('Name for the log-in.', text),
      name: described('Name that is shown.', text),
      email: described('Mail address.', text),
      roles: described('Roles of the user.', listOf(text)),
      capabilities: described('Rights that follow from the roles.', listOf(text)),
    }),
  ),
});
