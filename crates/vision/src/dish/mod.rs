//! Foods and dishes, recognized by how they look.
//!
//! Three networks do the work (`models/README.md`). Two were trained for this program: they tell food from everything
//! else, and 407 foods from each other. Their architectures differ, and so do their mistakes; the second is asked where
//! the first is unsure. The third is Google's AIY classifier of 2,023 dishes. It supports the other two, names the
//! dishes that they do not know, and works alone where networks trained on research-only images must not be used.
//!
//! The files follow the data:
//!
//! 1. `view`: a part of the photo, at the size that the networks take.
//! 2. `score_map`: what one of our networks says about every place in an image.
//! 3. `scores`: what the networks say, as probabilities.
//! 4. `explain`: the fewest foods that explain the whole photo and its parts.
//! 5. `place`: where each food is.
//! 6. `class_names`: the names of the networks' outputs.
//! 7. `other_dishes`: what AIY sees that our networks have no class for.
//! 8. `recognizer`: all of these in order.
//!
//! # Cost
//!
//! Each pass takes 15 to 35 ms of CPU time. A photo without food takes one pass, a photo that clearly shows a single
//! food two, and three where the second network is asked. A wide photo takes one more. A photo that is looked at
//! closely takes as much as three more, and as much again where it seems to show several foods.

mod recognizer;
mod other_dishes;
mod class_names;
mod place;
mod explain;
mod score_map;
mod scores;
mod view;

pub use recognizer::{DishRecognizer, RecognizedDish};
