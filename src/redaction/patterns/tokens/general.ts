// Tokens of no single provider, such as JSON Web Tokens and password hashes: data,
// used by token-formats.ts.
import type { TokenFormatRow } from "../token-format.ts";

const JOSE = "https://www.rfc-editor.org/rfc/rfc7519";
const CRYPT = "https://man7.org/linux/man-pages/man5/crypt.5.html";

export const GENERAL_TOKENS: readonly TokenFormatRow[] = [
  // Three parts, or the five of an encrypted one
  ["JWT", "eyJ [\\w-]{8,2000}\\.eyJ[\\w-]{4,8000}(?:\\.[\\w-]{0,2000})?", "eyJ<30>.eyJ<60>.<url 43>", JOSE],
  [
    "JWT",
    "eyJ [\\w-]{16,2000}\\.[\\w-]{0,2000}\\.[\\w-]{16,200}\\.[\\w-]{16,8000}\\.[\\w-]{16,200}",
    "eyJ<40>.<80>.<16>.<60>.<22>",
    JOSE,
  ],
  // "-----BEGIN … PRIVATE KEY" in base64, as kubeconfigs and Kubernetes secrets have it
  [
    "private key",
    "LS0tLS1CRUdJTi (?:BQUklWQVRF|BSU0EgUFJJ|BFQyBQUklW|BPUEVOU1NI|BFTkNSWVBU|BEU0EgUFJJ|BQR1AgUFJJ)[A-Za-z\\d+/=]{16,8000}",
    "LS0tLS1CRUdJTiBQUklWQVRF<400>",
    "https://www.rfc-editor.org/rfc/rfc7468",
  ],
  [
    "wallet key",
    "^xprv|yprv|zprv|tprv [A-Za-z\\d]{100,112}(?!\\w)",
    "xprv<107>",
    "https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki",
  ],
  [
    "password hash",
    "*::: (?<![\\da-fA-F])[\\da-fA-F]{32}:[\\da-fA-F]{32}(?=:::)",
    "<hex 32>:<hex 32>:::",
    "https://github.com/fortra/impacket/blob/master/impacket/examples/secretsdump.py",
  ],
  [
    "password hash",
    "** (?<![\\w*])\\*[\\dA-F]{40}(?!\\w)",
    "*0A1B2C3D4E5F67890A1B2C3D4E5F67890A1B2C3D",
    "https://dev.mysql.com/doc/refman/8.4/en/native-pluggable-authentication.html",
  ],
  ["password hash", "$2a$|$2b$|$2x$|$2y$ \\d\\d\\$[./A-Za-z\\d]{53}", "$2b$12$<53>", CRYPT],
  [
    "password hash",
    "$1$|$5$|$6$|$apr1$|$md5$|$sha1$ (?:rounds=\\d{1,9}\\$)?[^\\s$:\"']{0,64}\\$[./A-Za-z\\d]{22,86}",
    "$6$<16>$<86>",
    CRYPT,
  ],
  [
    "password hash",
    "$y$|$gy$|$7$ [./A-Za-z\\d]{1,86}\\$[./A-Za-z\\d]{1,86}(?:\\$[./A-Za-z\\d]{22,86})?",
    "$y$j9T$<22>$<43>",
    CRYPT,
  ],
  [
    "password hash",
    "$argon2id$|$argon2i$|$argon2d$|$scrypt$|$pbkdf2$|$pbkdf2-sha256$|$pbkdf2-sha512$ [\\w=,.+/$-]{20,400}",
    "$argon2id$v=19$m=65536,t=3,p=4$<22>$<43>",
    "https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md",
  ],
  [
    "password hash",
    "pbkdf2_sha256$|pbkdf2_sha1$|bcrypt_sha256$|scrypt$|argon2$ [\\w=,.+/$-]{20,400}",
    "pbkdf2_sha256$600000$<22>$<43>=",
    "https://docs.djangoproject.com/en/stable/topics/auth/passwords/",
  ],
  [
    "password hash",
    "scrypt:|pbkdf2:sha256:|pbkdf2:sha1:|pbkdf2:sha512: [\\d:]{1,24}\\$[\\w+/.-]{4,64}\\$[\\da-f]{40,128}",
    "scrypt:32768:8:1$<16>$<hex 128>",
    "https://werkzeug.palletsprojects.com/en/stable/utils/#module-werkzeug.security",
  ],
  [
    "password hash",
    "SCRAM-SHA-256$|SCRAM-SHA-1$ \\d{1,8}:[\\w+/=]{8,100}\\$[\\w+/=]{20,100}:[\\w+/=]{20,100}",
    "SCRAM-SHA-256$4096:<22>==$<43>=:<43>=",
    "https://www.postgresql.org/docs/current/catalog-pg-authid.html",
  ],
  [
    "password hash",
    "{SSHA}|{SHA}|{SMD5}|{SSHA256}|{SSHA512}|{CRYPT} [\\w+/=.$]{16,200}",
    "{SSHA}<36>",
    "https://www.openldap.org/doc/admin26/security.html",
  ],

  [
    "password hash",
    "$krb5asrep$|$krb5tgs$|$krb5pa$ [\\w@.:*$/-]{16,4000}",
    "$krb5asrep$23$user@mail.test:<hex 32>$<hex 400>",
    "https://hashcat.net/wiki/doku.php?id=example_hashes",
  ],
  [
    "password hash",
    "$8$|$9$ [./A-Za-z\\d]{14}\\$[./A-Za-z\\d]{43}(?!\\w)",
    "$8$<14>$<43>",
    "https://hashcat.net/wiki/doku.php?id=example_hashes",
  ],
];
