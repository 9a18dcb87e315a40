import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface SelfSigned {
  /** PEM. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
}

/** A key of its own and a certificate for it, so that none has to lie in the repository. */
export function selfSigned(name = 'localhost'): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const body = Buffer.from(certificate(name, publicKey, privateKey)).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${body.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const SEQUENCE = 0x30;
/** `ecdsa-with-SHA256`. */
const ALGORITHM = der(SEQUENCE, Buffer.from('06082a8648ce3d040302', 'hex'));
const COMMON_NAME = Buffer.from('0603550403', 'hex');

/** An X.509 certificate of version 1 (RFC 5280 §4.1). */
function certificate(name: string, publicKey: KeyObject, privateKey: KeyObject): Buffer {
  const subject = der(SEQUENCE, der(0x31, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from(name)))));
  const time = (text: string): Buffer => der(0x18, Buffer.from(text));
  const signed = der(
    SEQUENCE,
    der(0x02, Buffer.of(1)),
    ALGORITHM,
    subject,
    der(SEQUENCE, time('20000101000000Z'), time('21000101000000Z')),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  return der(SEQUENCE, signed, ALGORITHM, der(0x03, Buffer.of(0), sign('sha256', signed, privateKey)));
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  return Buffer.concat([Buffer.from(length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255]), content]);
}
