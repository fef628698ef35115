/**
 * Sealing under a secret of the configuration: AES-256-GCM. Of several secrets the first one seals and all of them open,
 * so that a secret can be replaced while what it sealed is still there. A secret is named by a part of what is derived from it,
 * which tells nothing of the secret itself. What is sealed for one purpose opens for no other.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriver, secretsOf } from '@sevenfold/chassis/secrets';

export interface Sealed {
  readonly secretId: string;
  readonly nonce: Buffer;
  readonly sealed: Buffer;
}

export interface Sealer {
  /** Undefined where no secret is configured. */
  readonly secretId: string | undefined;
  /** Throws where no secret is configured. */
  seal(text: string): Sealed;
  /** Undefined when no secret that is configured opens it. */
  open(row: Sealed): string | undefined;
}

const TAG_BYTES = 16;

export function openSealer(secrets: string, purpose: string): Sealer {
  const derive = deriver(purpose);
  const sealedFor = Buffer.from(purpose);
  const keys = new Map(
    secretsOf(secrets).map((secret) => [derive(secret, 'id', 6).toString('hex'), derive(secret, 'key', 32)]),
  );
  const [first] = keys;
  return {
    secretId: first?.[0],
    seal: (text) => {
      if (!first) throw new Error('no secret is configured to seal with');
      const [secretId, key] = first;
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      cipher.setAAD(sealedFor);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return { secretId, nonce, sealed };
    },
    open: ({ secretId, nonce, sealed }) => {
      const key = keys.get(secretId);
      if (!key || sealed.length < TAG_BYTES) return undefined;
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(sealedFor);
        decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
        return decipher.update(sealed.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
