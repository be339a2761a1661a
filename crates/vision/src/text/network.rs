//! A network with one input and one output.

use std::sync::{Arc, Mutex, PoisonError};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};
use rten_tensor::prelude::*;
use rten_tensor::{NdTensor, NdTensorView};

use super::depthwise::Depthwise;

/// A loaded network.
pub(crate) struct Network {
    model: Model,
    /// Where the network is cut into parts, in order.
    cuts: Vec<Cut>,
    threads: Arc<Threads>,
}

/// A convolution that is done here, between two parts of a network that the library runs.
struct Cut {
    convolution: Depthwise,
    input: NodeId,
    output: NodeId,
    /// What the part before it makes for parts after the next.
    kept: Vec<NodeId>,
}

/// Threads that networks run on. Each run has some for itself, so that several photos at once do not wait for each other.
pub(crate) struct Threads {
    /// For one run.
    number: usize,
    /// Those that no run uses now: at most as many as there were photos at once. They have the priority of the thread
    /// whose run was the first on them.
    free: Mutex<Vec<Arc<ThreadPool>>>,
}

impl Network {
    /// Loads a network that is part of the program.
    pub fn load(file: &'static [u8], threads: &Arc<Threads>) -> Self {
        Self::load_in_parts(file, "", threads)
    }

    /// Loads a network that is part of the program, with the list of its depthwise convolutions, which are done here.
    /// `training/fold_text.py` writes both.
    pub fn load_in_parts(file: &'static [u8], list: &str, threads: &Arc<Threads>) -> Self {
        let model = ModelOptions::with_all_ops()
            .prepack_weights(true)
            .load_static_slice(file)
            .expect("the networks of the program are those that its tests have run");
        let cuts = list.lines().map(|line| Cut::read(&model, line).expect("the list was written for this network"));
        Self { cuts: cuts.collect(), model, threads: Arc::clone(threads) }
    }

    /// Runs it on pictures: number, channel, row, column. Gives nothing when the network cannot take the shape.
    pub fn run<const N: usize>(&self, pictures: NdTensorView<'_, f32, 4>) -> Option<NdTensor<f32, N>> {
        let pool = self.threads.take();
        // All parts on the same thread: changing it takes longer than some of them.
        let output = pool.run(|| self.run_parts(pictures, &pool));
        self.threads.put_back(pool);
        output?.try_into().ok()
    }

    fn run_parts(&self, pictures: NdTensorView<'_, f32, 4>, pool: &Arc<ThreadPool>) -> Option<Value> {
        let mut options = RunOptions::default();
        options.thread_pool = Some(Arc::clone(pool));
        let mut kept: Vec<(NodeId, Value)> = Vec::new();
        let run = |latest: (NodeId, ValueOrView<'_>), kept: &[(NodeId, Value)], outputs: &[NodeId]| {
            let kept = kept.iter().map(|(node, value)| (*node, ValueOrView::from(value)));
            self.model.run(std::iter::once(latest).chain(kept).collect(), outputs, Some(options.clone())).ok()
        };
        let mut latest = (*self.model.input_ids().first()?, ValueOrView::from(pictures.as_dyn()));
        for cut in &self.cuts {
            let wanted: Vec<NodeId> = std::iter::once(cut.input).chain(cut.kept.iter().copied()).collect();
            let mut made = run(latest, &kept, &wanted)?.into_iter();
            let pictures: NdTensor<f32, 4> = made.next()?.try_into().ok()?;
            kept.extend(cut.kept.iter().copied().zip(made));
            let convolved = Value::from(cut.convolution.apply(&pictures.view())?.into_dyn());
            latest = (cut.output, ValueOrView::from(convolved));
        }
        run(latest, &kept, self.model.output_ids().get(..1)?)?.pop()
    }
}

impl Cut {
    /// Reads a line of the list.
    fn read(model: &Model, line: &str) -> Option<Self> {
        let mut fields = line.split(' ');
        let mut node = || model.find_node(fields.next()?);
        let (input, output, kernels, bias) = (node()?, node()?, node()?, node()?);
        let strides = [fields.next()?.parse().ok()?, fields.next()?.parse().ok()?];
        let kept = fields.map(|name| model.find_node(name)).collect::<Option<_>>()?;
        let [kernels, bias] = model.run_n(Vec::new(), [kernels, bias], None).ok()?;
        let (kernels, bias): (NdTensor<f32, 4>, NdTensor<f32, 1>) = (kernels.try_into().ok()?, bias.try_into().ok()?);
        Some(Self { convolution: Depthwise::new(&kernels.view(), bias.into_data(), strides)?, input, output, kept })
    }
}

impl Threads {
    /// So many for each run, at least one.
    pub fn of(number: usize) -> Arc<Self> {
        Arc::new(Self { number: number.max(1), free: Mutex::default() })
    }

    fn take(&self) -> Arc<ThreadPool> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        free.unwrap_or_else(|| Arc::new(ThreadPool::with_num_threads(self.number)))
    }

    fn put_back(&self, pool: Arc<ThreadPool>) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(pool);
    }
}
