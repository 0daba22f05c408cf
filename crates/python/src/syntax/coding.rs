//! The text of a source file: UTF-8, or the coding that one of its first two lines declares (PEP 263).

/// The text, or what is wrong with it.
pub fn decoded(bytes: Vec<u8>) -> Result<String, String> {
    let Some(coding) = declared(&bytes) else {
        return String::from_utf8(bytes).map_err(|_| "the file is not UTF-8".to_owned());
    };
    match &*coding.to_ascii_lowercase().replace('_', "-") {
        "utf-8" | "utf8" | "utf-8-sig" => {
            String::from_utf8(bytes).map_err(|_| "the file is not UTF-8, which it says it is".to_owned())
        }
        "latin-1" | "latin1" | "l1" | "iso-8859-1" | "iso8859-1" => {
            Ok(bytes.into_iter().map(char::from).collect())
        }
        "cp1252" | "windows-1252" => Ok(bytes.into_iter().map(of_windows).collect()),
        "ascii" | "us-ascii" if bytes.is_ascii() => {
            String::from_utf8(bytes).map_err(|_| "the file is not ASCII".to_owned())
        }
        // What is ASCII is the same in every coding that programs are written in.
        _ if bytes.is_ascii() => String::from_utf8(bytes).map_err(|_| "the file is not ASCII".to_owned()),
        other => Err(format!("the coding `{other}` is not read")),
    }
}

/// `# -*- coding: latin-1 -*-` in the first two lines; the first may be anything that is a comment.
fn declared(bytes: &[u8]) -> Option<String> {
    for line in bytes.split(|&byte| byte == b'\n').take(2) {
        let line = String::from_utf8_lossy(line);
        let text = line.trim_start_matches([' ', '\t', '\u{c}', '\u{feff}']);
        let Some(comment) = text.strip_prefix('#') else {
            if text.trim().is_empty() {
                continue;
            }
            return None;
        };
        let Some((_, rest)) = comment.split_once("coding") else { continue };
        let Some(rest) = rest.strip_prefix([':', '=']) else { continue };
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
        let name: String = rest.trim_start_matches([' ', '\t']).chars().take_while(|&c| is_part(c)).collect();
        if !name.is_empty() {
            return Some(name);
        }
    }
    None
}

/// Windows puts letters where Latin-1 has control characters.
fn of_windows(byte: u8) -> char {
    const LETTERS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => LETTERS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codings_are_those_that_the_file_declares() {
        let text = |bytes: &[u8]| decoded(bytes.to_vec());
        assert_eq!(text(b"x = '\xc3\xa9'").as_deref(), Ok("x = 'é'"));
        assert_eq!(text(b"# coding: latin-1\nx = '\xe9'").as_deref(), Ok("# coding: latin-1\nx = 'é'"));
        assert_eq!(
            text(b"#!/bin/x\n# -*- coding: cp1252 -*-\n'\x80'").map(|text| text.ends_with("'€'")),
            Ok(true)
        );
        assert!(text(b"x = 1\n# vim: fileencoding=latin-1\n'\xe9'").is_err());
        assert!(text(b"# coding: utf-8\n'\xe9'").is_err());
        assert!(text(b"# coding: koi8-r\n'\xe9'").is_err());
        assert!(text(b"'\xe9'").is_err());
    }
}
