//! Scales images.

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::{FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer};

/// A rectangle of an image, in pixels: left, top, width, height.
pub(crate) type Crop = (f64, f64, f64, f64);

/// Scales an image, or a part of it. The kind of pixel is part of the type, so that only the needed parts of the library are
/// compiled.
pub(crate) fn resized<P: PixelTrait>(
    (width, height): (u32, u32),
    pixels: &[u8],
    (new_width, new_height): (u32, u32),
    filter: FilterType,
    crop: Option<Crop>,
) -> Option<Vec<u8>> {
    let source = TypedImageRef::<P>::from_buffer(width, height, pixels).ok()?;
    let mut bytes = vec![0; new_width as usize * new_height as usize * size_of::<P>()];
    let mut target = TypedImage::<P>::from_buffer(new_width, new_height, &mut bytes).ok()?;
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(filter));
    let options = crop.map_or(options, |(left, top, width, height)| options.crop(left, top, width, height));
    Resizer::new().resize_typed(&source, &mut target, &options).ok()?;
    drop(target);
    Some(bytes)
}
