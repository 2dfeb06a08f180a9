//! Records the blocks of pools, and counts changes of balances that nothing explains.

use std::sync::Arc;

use firmquote_analysis::{BlockBalances, BlockHistory, DeskEncoder, TapeRecord, UnexplainedChanges};
use firmquote_desk::ObservedBlock;
use firmquote_domain::{PoolId, PoolSpec, Timestamp};
use firmquote_tape::TapeRecorder;
use prometheus::{IntCounterVec, Registry, register_int_counter_vec_with_registry};

use super::Tape;

/// The blocks of a pool so far.
#[derive(Default)]
pub(crate) struct PoolBlocks {
    blocks: BlockHistory,
    unexplained: UnexplainedChanges,
}

/// Where blocks are recorded. Cheap to clone.
#[derive(Clone)]
pub(crate) struct BlockTape {
    recorder: Option<Arc<TapeRecorder<DeskEncoder>>>,
    unexplained: IntCounterVec,
}

impl BlockTape {
    /// Creates the recorder of blocks on `tape`, if there is one, and registers its metric.
    ///
    /// # Errors
    /// When a metric of the same name is already registered; a bug.
    pub(crate) fn new(tape: Option<&Tape>, registry: &Registry, pools: &[PoolId]) -> prometheus::Result<Self> {
        let unexplained = register_int_counter_vec_with_registry!(
            "firmquote_unexplained_balance_changes_total",
            "Changes of the balances of a pool between two blocks that neither swaps nor deposits explain.",
            &["pool"],
            registry
        )?;
        for pool in pools {
            unexplained.get_metric_with_label_values(&[&pool.to_string()])?;
        }
        Ok(Self { recorder: tape.map(|tape| Arc::clone(&tape.recorder)), unexplained })
    }

    /// Records a block of a pool after those before, unless nothing has changed since it was recorded.
    pub(crate) fn record(
        &self,
        history: &mut PoolBlocks,
        spec: &PoolSpec,
        balances: BlockBalances<'_>,
        block: &ObservedBlock,
        now: Timestamp,
    ) {
        let Some((row, flows)) = history.blocks.record(spec, block, balances, now) else { return };
        let pool = spec.id;
        for (token, flows) in history.unexplained.add(flows) {
            self.unexplained.with_label_values(&[&pool.to_string()]).inc();
            let amount = flows.unexplained;
            tracing::warn!(
                %pool, %token, %amount, block = row.number,
                "the balance of the pool changed, and neither swaps nor deposits explain it"
            );
        }
        if let Some(recorder) = &self.recorder {
            recorder.record(TapeRecord::Block(Box::new(row)));
        }
    }
}
