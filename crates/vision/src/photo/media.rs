//! The accepted formats, detected by their first bytes, and the names of some others for the error message.

/// A format in which photos are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaType {
    /// JPEG, what cameras and phones write.
    Jpeg,
    /// PNG, what screenshots are.
    Png,
    /// WebP, lossy or lossless.
    Webp,
}

impl MediaType {
    /// Returns the name in HTTP, such as `image/jpeg`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
        }
    }

    /// Returns the name in a sentence, such as `JPEG`.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Jpeg => "JPEG",
            Self::Png => "PNG",
            Self::Webp => "WebP",
        }
    }

    /// Parses a media type. `image/jpg` is wrong but common and unambiguous.
    pub fn parse(name: &str) -> Option<Self> {
        let essence = name.split(';').next().unwrap_or_default().trim();
        let is = |other: &str| essence.eq_ignore_ascii_case(other);
        if is("image/jpeg") || is("image/jpg") {
            Some(Self::Jpeg)
        } else if is("image/png") {
            Some(Self::Png)
        } else if is("image/webp") {
            Some(Self::Webp)
        } else {
            None
        }
    }

    /// Detects the format of a file, whatever its name or declared type is.
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"\xFF\xD8\xFF") {
            Some(Self::Jpeg)
        } else if bytes.starts_with(b"\x89PNG\r\n\x1A\n") {
            Some(Self::Png)
        } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
            Some(Self::Webp)
        } else {
            None
        }
    }
}

/// Returns the name of a format that is not accepted, if people send it by mistake.
pub(super) fn unsupported_format(bytes: &[u8]) -> Option<&'static str> {
    if bytes.get(4..8) == Some(b"ftyp") {
        // HEIC, AVIF and videos use the same container, with different brands.
        return Some(match bytes.get(8..12)? {
            b"avif" | b"avis" => "an AVIF image",
            b"heic" | b"heix" | b"hevc" | b"hevx" | b"heim" | b"heis" | b"mif1" | b"msf1" => "a HEIC photo",
            _ => "a video",
        });
    }
    let starts: [(&[u8], &str); 8] = [
        (b"GIF8", "a GIF image"),
        (b"%PDF-", "a PDF document"),
        (b"BM", "a BMP image"),
        (b"II*\0", "a TIFF or raw camera image"),
        (b"MM\0*", "a TIFF or raw camera image"),
        (b"\xFF\x0A", "a JPEG XL image"),
        (b"\0\0\0\x0CJXL ", "a JPEG XL image"),
        (b"<", "a text file"),
    ];
    starts.into_iter().find_map(|(start, name)| bytes.starts_with(start).then_some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_found_by_its_own_name() {
        for media in [MediaType::Jpeg, MediaType::Png, MediaType::Webp] {
            assert_eq!(MediaType::parse(media.name()), Some(media));
        }
        assert_eq!(MediaType::parse("image/jpg"), Some(MediaType::Jpeg));
        assert_eq!(MediaType::parse(" Image/PNG ; charset=binary"), Some(MediaType::Png));
        for wrong in ["", "image/gif", "image/", "png", "text/plain"] {
            assert_eq!(MediaType::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn first_bytes_decide() {
        assert_eq!(MediaType::of_bytes(b"\xFF\xD8\xFF\xE1"), Some(MediaType::Jpeg));
        assert_eq!(MediaType::of_bytes(b"\x89PNG\r\n\x1A\n"), Some(MediaType::Png));
        assert_eq!(MediaType::of_bytes(b"RIFF\x00\x00\x00\x00WEBPVP8 "), Some(MediaType::Webp));
        for wrong in [&b""[..], b"\xFF\xD8", b"RIFF\x00\x00\x00\x00WAVE", b"RIFF", b"GIF89a", b"%PDF-1.7"] {
            assert_eq!(MediaType::of_bytes(wrong), None);
        }
    }

    #[test]
    fn common_mistakes_have_names() {
        assert_eq!(unsupported_format(b"\0\0\0\x18ftypheic"), Some("a HEIC photo"));
        assert_eq!(unsupported_format(b"\0\0\0\x18ftypavif"), Some("an AVIF image"));
        assert_eq!(unsupported_format(b"\0\0\0\x18ftypqt  "), Some("a video"));
        assert_eq!(unsupported_format(b"\0\0\0\x18ftyp"), None);
        assert_eq!(unsupported_format(b"GIF89a"), Some("a GIF image"));
        assert_eq!(unsupported_format(b"%PDF-1.7"), Some("a PDF document"));
        assert_eq!(unsupported_format(b"hello"), None);
    }
}
