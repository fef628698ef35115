/** Who may read what visitors sent: who may change forms. Erasing somebody's data is for administrators. */
import { refuseWithout } from '@sevenfold/chassis/http/refuse';

export const refuseReading = refuseWithout(
  'publish_pages',
  'You may not read submissions.',
  'Log in to read submissions.',
);
export const refuseErasing = refuseWithout(
  'manage_options',
  'You may not erase personal data.',
  'Log in to erase personal data.',
);
