//! Files that were changed anywhere, again and again, from a kept corpus: always a result, never a panic.

use std::path::Path;

use fuzz_corpus::Corpus;
use vision::barcode;
use vision::photo::{MediaType, Photo};

use crate::hostile::{read, repair_checksums, valid_files};

#[test]
fn decoders() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/decoders");
    let words =
        ["\u{ff}", "IDAT", "IEND", "VP8 ", "VP8L", "VP8X", "ANMF", "ALPH", "EXIF", "tRNS", "PLTE", "iCCP", "JFIF"];
    let mut inputs = Corpus::new(folder).seeds(valid_files()).words(words).max_bytes(30_000).inputs();
    while let Some(mut input) = inputs.next() {
        read(&input);
        // A wrong checksum would stop most changes of a PNG before they reach the decoder.
        repair_checksums(&mut input);
        read(&input);
        let photo = Photo::read(&input);
        let codes = photo.as_ref().map_or(0, |photo| barcode::find(photo).len());
        let size = photo.as_ref().map(|photo| (photo.width(), photo.height())).map_err(ToString::to_string);
        inputs.led_to((MediaType::of_bytes(&input).map(|media| format!("{media:?}")), size, codes));
    }
}
