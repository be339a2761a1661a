//! EXIF data with an orientation and private information.

/// Text in all metadata of test photos. It must never be in the output.
pub const SECRET: &[u8] = b"kitchen of Ada, door code 4711";

/// Writes a TIFF structure with an orientation, a description and a location.
pub fn exif(orientation: u16) -> Vec<u8> {
    let mut tiff = b"II*\0\x08\0\0\0".to_vec();
    let entry = |tag: u16, kind: u16, count: u32, value: u32| {
        [&tag.to_le_bytes()[..], &kind.to_le_bytes(), &count.to_le_bytes(), &value.to_le_bytes()].concat()
    };
    let secret_at = 8 + 2 + 3 * 12 + 4;
    let gps_at = secret_at + SECRET.len() as u32;
    tiff.extend_from_slice(&3_u16.to_le_bytes());
    tiff.extend(entry(0x010E, 2, SECRET.len() as u32, secret_at));
    tiff.extend(entry(0x0112, 3, 1, u32::from(orientation)));
    tiff.extend(entry(0x8825, 4, 1, gps_at));
    tiff.extend_from_slice(&[0; 4]);
    tiff.extend_from_slice(SECRET);
    // Latitude: north, 52° 31' 12".
    tiff.extend_from_slice(&2_u16.to_le_bytes());
    tiff.extend(entry(1, 2, 2, u32::from(b'N')));
    tiff.extend(entry(2, 5, 3, gps_at + 2 + 2 * 12 + 4));
    tiff.extend_from_slice(&[0; 4]);
    for number in [52_u32, 1, 31, 1, 12, 1] {
        tiff.extend_from_slice(&number.to_le_bytes());
    }
    tiff
}

/// Writes the structure in big-endian order, with only the orientation.
pub fn big_endian_exif(orientation: u16) -> Vec<u8> {
    let mut tiff = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01".to_vec();
    tiff.extend_from_slice(&orientation.to_be_bytes());
    tiff.extend_from_slice(&[0; 6]);
    tiff
}
