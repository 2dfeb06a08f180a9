//! Parts shared by several operations: their groups, fields and bodies.

use crate::{
    input::Field,
    openapi::operation_spec::SuccessBody::{self, Text},
};

pub(super) const VERSION_1: &str = "version 1";
pub(super) const VERSION_2: &str = "version 2";
pub(super) const PAGES: &str = "pages";
pub(super) const OPERATOR: &str = "operator";

pub(super) const CHAIN: &[Field] = &[Field::ChainId];
pub(super) const HTML: SuccessBody = Text("text/html; charset=utf-8");
