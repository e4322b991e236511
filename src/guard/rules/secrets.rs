//! Rules for secrets: the formats of well-known issuers, private keys, and values assigned to telling names.

use crate::guard::rule::Rule;

/// The table.
pub(super) const RULES: &[Rule] = &[
    Rule::secret(
        "a private key",
        "private key-----¦private key block¦age-secret-key-¦putty-user-key",
        r"-----BEGIN\ (?:[A-Z0-9]+\ )*PRIVATE\ KEY(?:\ BLOCK)?----- | AGE-SECRET-KEY-1[A-Z0-9]{20,} | PuTTY-User-Key-File-\d",
    ),
    Rule::secret("an AWS access key", "akia¦asia¦abia¦acca", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b"),
    Rule::secret(
        "an AWS secret key",
        "aws_secret¦secret_access_key¦secretaccesskey",
        r"(?i:aws_?secret(?:_?access)?_?key|secret_?access_?key)['\x22]?\s*[=:]\s*['\x22]?[A-Za-z0-9/+=]{40}",
    ),
    Rule::secret(
        "a GitHub token",
        "ghp_¦gho_¦ghu_¦ghs_¦ghr_¦github_pat_",
        r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,})",
    ),
    Rule::secret("a GitLab token", "glpat-¦gldt-¦glrt-¦glptt-¦glcbt-¦glsoat-", r"\bgl(?:pat|dt|rt|ptt|cbt|soat)-[A-Za-z0-9_-]{18,}"),
    Rule::secret(
        "a Slack token",
        "xox¦xapp-¦hooks.slack.com",
        r"\bxox[abeoprs]-(?:[A-Za-z0-9]+-)*[A-Za-z0-9]{10,} | \bxapp-\d-[A-Za-z0-9-]{20,} | hooks\.slack\.com/services/T[A-Z0-9]+/B[A-Z0-9]+/[A-Za-z0-9]{16,}",
    ),
    Rule::secret(
        "a Stripe key",
        "sk_live_¦rk_live_¦sk_test_¦rk_test_¦whsec_",
        r"\b(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})",
    ),
    Rule::secret(
        "an API key of a model provider",
        "sk-¦gsk_¦xai-¦r8_¦pplx-¦hf_¦api_org_¦nvapi-",
        r"\b(?:sk-(?:proj|svcacct|admin|ant|or|lf)-[A-Za-z0-9_-]{16,}|sk-(?:[a-z0-9]+-)*[A-Za-z0-9]{32,}|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{30,}|pplx-[A-Za-z0-9]{32,}|(?:hf|api_org)_[A-Za-z0-9]{28,}|nvapi-[A-Za-z0-9_-]{40,})",
    ),
    Rule::secret("a Google key", "aiza¦gocspx-¦ya29.", r"\b(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,})"),
    Rule::secret("an npm token", "npm_", r"\bnpm_[A-Za-z0-9]{30,}"),
    Rule::secret("a PyPI token", "pypi-", r"\bpypi-[A-Za-z0-9_-]{40,}"),
    Rule::secret("a crates.io, Docker, DigitalOcean or Shopify token", "cio¦dckr_pat_¦dop_v1_¦doo_v1_¦shpat_¦shpss_", r"\b(?:cio[A-Za-z0-9]{32}|dckr_pat_[A-Za-z0-9_-]{20,}|do[or]_v1_[a-f0-9]{60,}|dop_v1_[a-f0-9]{60,}|shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32})\b"),
    Rule::secret("a SendGrid, Mailgun, Twilio or Telegram key", "sg.¦key-¦sk¦bot¦:aa", r"\b(?:SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{20,}|key-[a-f0-9]{32}|SK[a-f0-9]{32}|(?:bot)?\d{8,10}:AA[A-Za-z0-9_-]{33})\b"),
    Rule::secret("a Linear, Notion, Databricks, Vault or Supabase token", "lin_api_¦secret_¦ntn_¦dapi¦hvs.¦hvb.¦sbp_¦atatt3", r"\b(?:lin_api_[A-Za-z0-9]{30,}|secret_[A-Za-z0-9]{40,}|ntn_[A-Za-z0-9]{40,}|dapi[a-f0-9]{32}|hv[sb]\.[A-Za-z0-9_-]{24,}|sbp_[a-f0-9]{40}|ATATT3[A-Za-z0-9_=-]{20,})"),
    Rule::secret("an Azure storage key", "accountkey=", r"(?i:AccountKey)=[A-Za-z0-9+/]{60,}={0,2}"),
    Rule::secret("a signed JSON Web Token", "eyj", r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}"),
    Rule::secret("a URL with a password in it", "://", r"\b[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s/:@'\x22<>]*:(?P<value>[^\s/@'\x22<>]{3,})@[^\s]")
        .confirmed_by(is_password),
    Rule::secret(
        "a password in a sentence",
        "password¦passphrase¦mot de passe¦mdp¦secret¦token¦jeton¦cle ",
        r"(?i:\bpassword|\bpassphrase|\bmot\ de\ passe|\bmdp|\bsecret|\btoken|\bjeton|\bcl[ée])\b(?:\s+[\w'\x{80}-\x{10ffff}-]+){0,7}?\s*(?:[:=]|\sest\b|\sis\b|->|→)\s*[`'\x22«‘“\x{a0}\x{202f}\s]*(?P<value>[\x21-\x7e]{8,})",
    )
    .confirmed_by(is_random),
    Rule::secret(
        "a secret assigned to a telling name",
        "password¦passwd¦pwd¦secret¦token¦api_key¦apikey¦api key¦api-key¦access_key¦mot de passe¦mdp¦passphrase¦cle api¦cle d'api¦jeton¦credential¦auth_key¦private_key",
        r"(?i:passw(?:or)?d|passwd|\bpwd|secret(?:[_-]?key)?|(?:access|auth|api|bearer|refresh)[_\ -]?token|\btoken|_token|api[_\ -]?key|access[_-]?key|auth[_-]?key|private[_-]?key|mot\ de\ passe|\bmdp|passphrase|cl[ée]\ (?:d['’])?api|jeton|credential)[\w-]{0,24}['\x22]?\s{0,2}(?:[=:]|:=|=>|\ est\ |\ is\ )\s{0,2}['\x22`]?(?P<value>[^\s'\x22`,;<>]{8,})",
    )
    .confirmed_by(is_random),
];

/// Returns whether `value` stands in a URL as a real password and not as a placeholder.
fn is_password(value: &str) -> bool {
    let lower = value.to_lowercase();
    let placeholder = value.starts_with(['$', '{', '<', '*', '[', '%', '…'])
        || value.contains("...")
        || value.chars().all(|c| c == value.chars().next().unwrap_or(c))
        || [
            "password",
            "passwd",
            "pass",
            "secret",
            "pwd",
            "motdepasse",
            "mdp",
            "token",
            "port",
            "changeme",
            "xxx",
            "your",
            "example",
            "postgres",
            "root",
            "admin",
            "guest",
            "user",
            "test",
        ]
        .iter()
        .any(|word| lower == *word || (lower.starts_with(word) && lower.len() < word.len() + 3));
    let port = value.bytes().all(|b| b.is_ascii_digit()) && value.len() <= 5;
    !placeholder && !port
}

/// Returns whether `value` looks drawn by chance: letters and digits, long, not a path, a name or a reference.
fn is_random(value: &str) -> bool {
    let value = value.trim_end_matches(['.', ')', ']', '!', '?', ':']);
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let signs = value
        .bytes()
        .filter(|b| matches!(b, b'!' | b'@' | b'#' | b'%' | b'&' | b'*' | b'^' | b'?'))
        .count();
    let reference = value.starts_with(['$', '{', '~', '/', '<', '%', '.', '('])
        || [
            "://",
            "()",
            "${",
            "process.env",
            "os.environ",
            "getenv",
            "env:",
            "...",
            "…",
            "xxxx",
            "XXXX",
            "****",
        ]
        .iter()
        .any(|part| value.contains(part))
        || value.split(['/', '\\']).count() > 2
        || is_uuid_or_date(value);
    let upper = value.bytes().any(|b| b.is_ascii_uppercase());
    let lower = value.bytes().any(|b| b.is_ascii_lowercase());
    let mixed = digits >= 2 && letters >= 2 && (value.len() >= 16 || (upper && lower) || signs > 0);
    is_password(value)
        && !reference
        && value.is_ascii()
        && (mixed || (signs > 0 && digits > 0 && letters >= 4))
}

/// Dates, versions and the like are digits and separators for the most part.
fn is_uuid_or_date(value: &str) -> bool {
    let parts: Vec<_> = value.split(['-', '.', '_', ':']).collect();
    let words = parts.iter().all(|part| {
        let bytes = part.as_bytes();
        part.len() < 10
            && (bytes.iter().all(u8::is_ascii_digit) || bytes.iter().all(u8::is_ascii_alphabetic))
    });
    parts.len() > 1 && words
}
