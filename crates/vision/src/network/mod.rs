//! Neural networks with one input and one output, loaded from ONNX files that are part of the program.
//!
//! - `depthwise`: the convolutions that are computed here because the inference library is slow at them.
//! - `threads`: the threads that inference runs on.

mod depthwise;
mod threads;

use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};
use rten_tensor::prelude::*;
use rten_tensor::{NdTensor, NdTensorView};

use depthwise::DepthwiseConvolution;
pub(crate) use threads::ThreadPools;

/// A loaded network.
pub(crate) struct Network {
    model: Model,
    /// Where the network is cut into parts, in order.
    cuts: Vec<Cut>,
    pools: Arc<ThreadPools>,
}

/// A convolution that is computed here, between two parts of a network that the library runs.
struct Cut {
    convolution: DepthwiseConvolution,
    input: NodeId,
    output: NodeId,
    /// Outputs of the part before the cut that later parts need.
    kept: Vec<NodeId>,
}

impl Network {
    /// Loads a network that is part of the program.
    pub fn load(file: &'static [u8], pools: &Arc<ThreadPools>) -> Self {
        Self::load_in_parts(file, "", pools)
    }

    /// Loads a network that is part of the program, and the list of the depthwise convolutions that are computed here.
    /// `training/fold_text.py` writes both.
    pub fn load_in_parts(file: &'static [u8], list: &str, pools: &Arc<ThreadPools>) -> Self {
        let model = ModelOptions::with_all_ops()
            .prepack_weights(true)
            .load_static_slice(file)
            .expect("the embedded networks are the ones that the tests load");
        let cuts = list.lines().map(|line| Cut::parse(&model, line).expect("the list was written for this network"));
        Self { cuts: cuts.collect(), model, pools: Arc::clone(pools) }
    }

    /// Runs the network on a batch of shape image, channel, row, column. Returns `None` if it does not accept the
    /// shape.
    pub fn run<const N: usize>(&self, images: NdTensorView<'_, f32, 4>) -> Option<NdTensor<f32, N>> {
        let pool = self.pools.take();
        // All parts run on the same thread: switching threads takes longer than some of the parts.
        let output = pool.threads.run(|| self.run_parts(images, &pool.threads));
        self.pools.put_back(pool);
        output?.try_into().ok()
    }

    fn run_parts(&self, images: NdTensorView<'_, f32, 4>, pool: &Arc<ThreadPool>) -> Option<Value> {
        let mut options = RunOptions::default();
        options.thread_pool = Some(Arc::clone(pool));
        let mut kept: Vec<(NodeId, Value)> = Vec::new();
        let run = |latest: (NodeId, ValueOrView<'_>), kept: &[(NodeId, Value)], outputs: &[NodeId]| {
            let kept = kept.iter().map(|(node, value)| (*node, ValueOrView::from(value)));
            self.model.run(std::iter::once(latest).chain(kept).collect(), outputs, Some(options.clone())).ok()
        };
        let mut latest = (*self.model.input_ids().first()?, ValueOrView::from(images.as_dyn()));
        for cut in &self.cuts {
            let wanted: Vec<NodeId> = std::iter::once(cut.input).chain(cut.kept.iter().copied()).collect();
            let mut outputs = run(latest, &kept, &wanted)?.into_iter();
            let images: NdTensor<f32, 4> = outputs.next()?.try_into().ok()?;
            kept.extend(cut.kept.iter().copied().zip(outputs));
            let convolved = Value::from(cut.convolution.apply(&images.view())?.into_dyn());
            latest = (cut.output, ValueOrView::from(convolved));
        }
        run(latest, &kept, self.model.output_ids().get(..1)?)?.pop()
    }
}

impl Cut {
    /// Parses a line of the list: input, output, kernels, bias, the two strides, and the nodes to keep.
    fn parse(model: &Model, line: &str) -> Option<Self> {
        let mut fields = line.split(' ');
        let mut node = || model.find_node(fields.next()?);
        let (input, output, kernels, bias) = (node()?, node()?, node()?, node()?);
        let strides = [fields.next()?.parse().ok()?, fields.next()?.parse().ok()?];
        let kept = fields.map(|name| model.find_node(name)).collect::<Option<_>>()?;
        let [kernels, bias] = model.run_n(Vec::new(), [kernels, bias], None).ok()?;
        let (kernels, bias): (NdTensor<f32, 4>, NdTensor<f32, 1>) = (kernels.try_into().ok()?, bias.try_into().ok()?);
        let convolution = DepthwiseConvolution::new(&kernels.view(), bias.into_data(), strides)?;
        Some(Self { convolution, input, output, kept })
    }
}
