//! Pictures that authenticator apps scan.

use std::fmt::{self, Write as _};

use askama::filters::HtmlSafe;
use qrcode::{Color, EcLevel, QrCode};

use crate::error::ApiError;

/// Light modules around the code, as many as the standard asks for.
const MARGIN: usize = 4;

/// A QR code as SVG: dark on light in both themes, since many apps cannot read the inverse. It consists of numbers and
/// fixed words, so templates do not need to escape it.
#[derive(Debug)]
pub(super) struct QrSvg {
    /// Modules of a side, margins included.
    side: usize,
    /// The dark modules, as an SVG path.
    path: String,
}

impl QrSvg {
    /// Encodes a text.
    pub fn new(text: &str) -> Result<Self, ApiError> {
        let code = QrCode::with_error_correction_level(text, EcLevel::M).map_err(ApiError::internal)?;
        let width = code.width();
        let mut path = String::new();
        for (y, row) in code.to_colors().chunks(width).enumerate() {
            let mut x = 0;
            for run in row.chunk_by(|a, b| a == b) {
                if run[0] == Color::Dark {
                    let length = run.len();
                    let _ = write!(path, "M{} {}h{length}v1h-{length}z", x + MARGIN, y + MARGIN);
                }
                x += run.len();
            }
        }
        Ok(Self { side: width + 2 * MARGIN, path })
    }
}

impl HtmlSafe for QrSvg {}

impl fmt::Display for QrSvg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { side, path } = self;
        write!(
            f,
            "<svg class=\"qr\" viewBox=\"0 0 {side} {side}\" role=\"img\" aria-label=\"QR code for an authenticator app\" \
             shape-rendering=\"crispEdges\"><rect width=\"{side}\" height=\"{side}\" fill=\"#fff\"/>\
             <path d=\"{path}\" fill=\"#000\"/></svg>"
        )
    }
}
