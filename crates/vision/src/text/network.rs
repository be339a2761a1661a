//! A network with one input and one output.

use std::sync::Arc;

use rten::{Model, ModelOptions, RunOptions, ThreadPool};
use rten_tensor::{NdTensor, NdTensorView};

/// A loaded network.
pub(crate) struct Network {
    model: Model,
    pool: Arc<ThreadPool>,
}

impl Network {
    /// Loads a network that is part of the program.
    pub fn load(file: &'static [u8], pool: &Arc<ThreadPool>) -> Self {
        let model = ModelOptions::with_all_ops()
            .prepack_weights(true)
            .load_static_slice(file)
            .expect("the networks of the program are those that its tests have run");
        Self { model, pool: Arc::clone(pool) }
    }

    /// Runs it on pictures: number, channel, row, column. Gives nothing when the network cannot take the shape.
    pub fn run<const N: usize>(&self, pictures: NdTensorView<'_, f32, 4>) -> Option<NdTensor<f32, N>> {
        let mut options = RunOptions::default();
        options.thread_pool = Some(Arc::clone(&self.pool));
        self.model.run_one(pictures.as_dyn().into(), Some(options)).ok()?.try_into().ok()
    }
}
