//! One source file: the modules, types and functions it declares and the paths it refers to.

use std::path::{Path, PathBuf};
use std::{fs, io};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, UseTree, Visibility};

/// A source file without its tests.
#[derive(Debug, Default)]
pub struct SourceFile {
    /// Where it is.
    pub path: PathBuf,
    /// Modules that have a file of their own, in the order in which they are declared.
    pub modules: Vec<String>,
    /// Types that other files may name.
    pub types: Vec<String>,
    /// Types of this file alone.
    pub private_types: Vec<String>,
    /// Types with an inherent `impl` block here.
    pub implemented: Vec<String>,
    /// Every function with the number of its lines, from the signature to the closing brace.
    pub functions: Vec<(String, usize)>,
    /// Names that are handed on from another module: the name here, and the path it stands for. A glob is `*`.
    pub reexports: Vec<(String, Vec<String>)>,
    /// Paths in `use` declarations and in the code, segment by segment.
    pub references: Vec<Vec<String>>,
}

impl SourceFile {
    /// Reads a file. Fails if it cannot be read or is not Rust.
    pub fn read(path: &Path) -> io::Result<Self> {
        let parsed = syn::parse_file(&fs::read_to_string(path)?)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display())))?;
        let mut reader = Reader { file: SourceFile { path: path.to_owned(), ..Self::default() } };
        reader.visit_file(&parsed);
        Ok(reader.file)
    }
}

/// Fills in a file while its syntax tree is walked.
struct Reader {
    file: SourceFile,
}

impl Reader {
    fn add_type(&mut self, visibility: &Visibility, name: &syn::Ident) {
        let is_private = matches!(visibility, Visibility::Inherited);
        let types = if is_private { &mut self.file.private_types } else { &mut self.file.types };
        types.push(name.to_string());
    }

    fn add_function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let lines = block.brace_token.span.close().end().line + 1 - signature.fn_token.span.start().line;
        self.file.functions.push((signature.ident.to_string(), lines));
    }

    /// Adds the leaves of a `use` tree, as references or as names that are handed on.
    fn add_use(&mut self, tree: &UseTree, prefix: &[String], is_reexport: bool) {
        let with = |segment: &syn::Ident| [prefix, &[segment.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.add_use(&path.tree, &with(&path.ident), is_reexport),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add_use(tree, prefix, is_reexport)),
            UseTree::Name(name) if name.ident == "self" => {
                let shown = prefix.last().cloned().unwrap_or_default();
                self.add_leaf(shown, prefix.to_vec(), is_reexport);
            }
            UseTree::Name(name) => self.add_leaf(name.ident.to_string(), with(&name.ident), is_reexport),
            UseTree::Rename(rename) => self.add_leaf(rename.rename.to_string(), with(&rename.ident), is_reexport),
            UseTree::Glob(_) => self.add_leaf("*".to_owned(), prefix.to_vec(), is_reexport),
        }
    }

    fn add_leaf(&mut self, shown: String, path: Vec<String>, is_reexport: bool) {
        if is_reexport {
            self.file.reexports.push((shown, path));
        } else {
            self.file.references.push(path);
        }
    }

    /// Finds paths in the arguments of a macro, which have no syntax tree: names joined by `::`.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.end_path(&mut path);
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                other => {
                    self.end_path(&mut path);
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.add_tokens(group.stream());
                    }
                }
            }
        }
        self.end_path(&mut path);
    }

    fn end_path(&mut self, path: &mut Vec<String>) {
        if path.len() > 1 {
            self.file.references.push(std::mem::take(path));
        }
        path.clear();
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        if attributes(item).iter().any(is_test_only) {
            return;
        }
        match item {
            Item::Struct(item) => self.add_type(&item.vis, &item.ident),
            Item::Enum(item) => self.add_type(&item.vis, &item.ident),
            Item::Union(item) => self.add_type(&item.vis, &item.ident),
            Item::Trait(item) => self.add_type(&item.vis, &item.ident),
            Item::Type(item) => self.add_type(&item.vis, &item.ident),
            Item::Fn(item) => self.add_function(&item.sig, &item.block),
            Item::Mod(ItemMod { ident, content: None, .. }) => self.file.modules.push(ident.to_string()),
            Item::Impl(item) if item.trait_.is_none() => {
                if let syn::Type::Path(path) = &*item.self_ty
                    && let Some(name) = path.path.segments.last()
                {
                    self.file.implemented.push(name.ident.to_string());
                }
            }
            Item::Use(item) => {
                let is_reexport = !matches!(item.vis, Visibility::Inherited);
                self.add_use(&item.tree, &[], is_reexport);
            }
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !function.attrs.iter().any(is_test_only) {
            self.add_function(&function.sig, &function.block);
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            self.file.references.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, invocation: &'ast syn::Macro) {
        self.add_tokens(invocation.tokens.clone());
        visit::visit_macro(self, invocation);
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Checks for `#[cfg(test)]` and `#[test]`.
fn is_test_only(attribute: &Attribute) -> bool {
    let is_cfg_test = attribute.path().is_ident("cfg")
        && attribute.parse_args::<syn::Path>().is_ok_and(|condition| condition.is_ident("test"));
    is_cfg_test || attribute.path().is_ident("test")
}
