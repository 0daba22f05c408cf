//! A pickle as data. Its opcodes build a graph of nodes; whatever would call something is asked of `meaning`, which
//! knows a few functions by name and lets the rest be opaque.

use rustc_hash::FxHashMap;

use super::{Node, Trouble, meaning};

/// Nodes that one file may make.
const MOST_NODES: usize = 1_000_000;
/// Bytes of one pickle that are read.
pub(super) const LONGEST: usize = 64 << 20;

/// What reads one or several pickles into one graph.
#[derive(Default)]
pub(super) struct Unpickler {
    pub(super) nodes: Vec<Node>,
    stack: Vec<usize>,
    /// How high the stack was at each open mark.
    marks: Vec<usize>,
    memo: FxHashMap<u64, usize>,
}

impl Unpickler {
    /// Reads one pickle from the start of `bytes`; gives its node and the bytes after it.
    pub(super) fn read<'b>(&mut self, bytes: &'b [u8]) -> Result<(usize, &'b [u8]), Trouble> {
        self.stack.clear();
        self.marks.clear();
        self.memo.clear();
        let granted = &bytes[..bytes.len().min(LONGEST)];
        let mut input = Input { bytes: granted, is_cut: granted.len() < bytes.len() };
        while !self.step(&mut input)? {
            if self.nodes.len() > MOST_NODES {
                return Trouble::not_read(format!("it holds more than {MOST_NODES} objects"));
            }
        }
        let rest = &bytes[granted.len() - input.bytes.len()..];
        Ok((self.pop()?, rest))
    }

    pub(super) fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }
    fn push(&mut self, node: Node) {
        let place = self.add(node);
        self.stack.push(place);
    }
    fn pop(&mut self) -> Result<usize, Trouble> {
        let open = self.marks.last().copied().unwrap_or(0);
        match self.stack.pop() {
            Some(place) if self.stack.len() >= open => Ok(place),
            _ => Trouble::broken("its pickle takes what was never put in"),
        }
    }
    fn top(&self) -> Result<usize, Trouble> {
        match self.stack.last() {
            Some(&place) => Ok(place),
            None => Trouble::broken("its pickle takes what was never put in"),
        }
    }
    fn pop_to_mark(&mut self) -> Result<Vec<usize>, Trouble> {
        match self.marks.pop() {
            Some(height) if height <= self.stack.len() => Ok(self.stack.split_off(height)),
            _ => Trouble::broken("its pickle ends a group that was never begun"),
        }
    }
    fn remember(&mut self, number: u64) -> Result<(), Trouble> {
        let place = self.top()?;
        self.memo.insert(number, place);
        Ok(())
    }
    fn recall(&mut self, number: u64) -> Result<(), Trouble> {
        match self.memo.get(&number) {
            Some(&place) => self.stack.push(place),
            None => return Trouble::broken("its pickle recalls what it never remembered"),
        }
        Ok(())
    }
    fn tuple(&mut self, count: usize) -> Result<(), Trouble> {
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(self.pop()?);
        }
        items.reverse();
        self.push(Node::Tuple(items));
        Ok(())
    }
    fn global(&mut self, module: &str, name: &str) {
        self.push(Node::Global(format!("{module}.{name}")));
    }
    fn call(&mut self, callable: usize, arguments: &[usize]) {
        let place = meaning::called(self, callable, arguments);
        self.stack.push(place);
    }
    /// The items of a tuple or list.
    pub(super) fn items(&self, place: usize) -> &[usize] {
        match &self.nodes[place] {
            Node::Tuple(items) | Node::List(items) => items,
            _ => &[],
        }
    }

    /// Executes one opcode; true at the end.
    fn step(&mut self, input: &mut Input) -> Result<bool, Trouble> {
        match input.byte()? {
            b'.' => return Ok(true),
            b'(' => self.marks.push(self.stack.len()),
            b'0' => drop(self.pop()?),
            b'1' => drop(self.pop_to_mark()?),
            b'2' => {
                let place = self.top()?;
                self.stack.push(place);
            }
            // The protocol, and where a frame ends.
            0x80 => drop(input.take(1)?),
            0x95 => drop(input.take(8)?),
            b'N' => self.push(Node::None),
            0x88 => self.push(Node::Bool(true)),
            0x89 => self.push(Node::Bool(false)),
            b'F' => {
                let node = input.line()?.parse().map_or(Node::Opaque("float".into()), Node::Float);
                self.push(node);
            }
            b'G' => {
                let bytes: [u8; 8] = input.array()?;
                self.push(Node::Float(f64::from_be_bytes(bytes)));
            }
            b'I' | b'L' => {
                let node = match input.line()?.trim_end_matches('L') {
                    "00" => Node::Bool(false),
                    "01" => Node::Bool(true),
                    digits => digits.parse().map_or(Node::Opaque("int".into()), Node::Int),
                };
                self.push(node);
            }
            b'J' => {
                let bytes: [u8; 4] = input.array()?;
                self.push(Node::Int(i32::from_le_bytes(bytes).into()));
            }
            b'K' => {
                let number = input.count(1)?;
                self.push(Node::Int(number as i64));
            }
            b'M' => {
                let number = input.count(2)?;
                self.push(Node::Int(number as i64));
            }
            code @ (0x8a | 0x8b) => {
                let length = input.count(if code == 0x8a { 1 } else { 4 })?;
                let node = long(input.take(length)?);
                self.push(node);
            }
            code @ (b'S' | b'V') => {
                let line = input.line()?;
                let text = if code == b'S' { line.trim_matches(['\'', '"']) } else { line };
                self.push(Node::Text(text.to_owned()));
            }
            code @ (b'T' | b'U' | b'X' | 0x8c | 0x8d) => {
                let width = match code {
                    b'U' | 0x8c => 1,
                    0x8d => 8,
                    _ => 4,
                };
                let length = input.count(width)?;
                let text = String::from_utf8_lossy(input.take(length)?).into_owned();
                self.push(Node::Text(text));
            }
            code @ (b'B' | b'C' | 0x8e | 0x96) => {
                let width = match code {
                    b'C' => 1,
                    b'B' => 4,
                    _ => 8,
                };
                let length = input.count(width)?;
                input.take(length)?;
                self.push(Node::Bytes);
            }
            b')' => self.push(Node::Tuple(Vec::new())),
            code @ 0x85..=0x87 => self.tuple(usize::from(code) - 0x84)?,
            b't' => {
                let items = self.pop_to_mark()?;
                self.push(Node::Tuple(items));
            }
            b']' => self.push(Node::List(Vec::new())),
            b'l' => {
                let items = self.pop_to_mark()?;
                self.push(Node::List(items));
            }
            b'}' => self.push(Node::Dict(Vec::new())),
            b'd' => {
                let items = self.pop_to_mark()?;
                self.push(Node::Dict(pairs(&items)));
            }
            0x8f => self.push(Node::Set(Vec::new())),
            0x91 => {
                let items = self.pop_to_mark()?;
                self.push(Node::Set(items));
            }
            b'a' => {
                let item = self.pop()?;
                self.extend(vec![item])?;
            }
            b'e' | 0x90 => {
                let items = self.pop_to_mark()?;
                self.extend(items)?;
            }
            b's' => {
                let (value, key) = (self.pop()?, self.pop()?);
                self.enter(&[key, value])?;
            }
            b'u' => {
                let items = self.pop_to_mark()?;
                self.enter(&items)?;
            }
            code @ (b'g' | b'p') => {
                let number = input.line()?.parse().map_err(|_| Trouble::Broken(NO_NUMBER.into()))?;
                if code == b'g' { self.recall(number)? } else { self.remember(number)? }
            }
            b'h' => {
                let number = input.count(1)?;
                self.recall(number as u64)?;
            }
            b'j' => {
                let number = input.count(4)?;
                self.recall(number as u64)?;
            }
            b'q' => {
                let number = input.count(1)?;
                self.remember(number as u64)?;
            }
            b'r' => {
                let number = input.count(4)?;
                self.remember(number as u64)?;
            }
            0x94 => self.remember(self.memo.len() as u64)?,
            b'c' => {
                let (module, name) = (input.line()?, input.line()?);
                self.global(module, name);
            }
            0x93 => {
                let (name, module) = (self.pop()?, self.pop()?);
                let (Node::Text(module), Node::Text(name)) = (&self.nodes[module], &self.nodes[name]) else {
                    return Trouble::broken("its pickle names something that is no name");
                };
                let (module, name) = (module.clone(), name.clone());
                self.global(&module, &name);
            }
            b'P' => {
                let name = input.line()?.to_owned();
                self.push(Node::Opaque(name));
            }
            b'Q' => {
                let named = self.pop()?;
                let node = meaning::persistent(self, named);
                self.push(node);
            }
            b'R' | 0x81 => {
                let (arguments, callable) = (self.pop()?, self.pop()?);
                let arguments = self.items(arguments).to_vec();
                self.call(callable, &arguments);
            }
            0x92 => {
                let (_, arguments, callable) = (self.pop()?, self.pop()?, self.pop()?);
                let arguments = self.items(arguments).to_vec();
                self.call(callable, &arguments);
            }
            b'i' => {
                let (module, name) = (input.line()?, input.line()?);
                let arguments = self.pop_to_mark()?;
                let class = self.add(Node::Global(format!("{module}.{name}")));
                self.call(class, &arguments);
            }
            b'o' => {
                let items = self.pop_to_mark()?;
                let Some((&class, arguments)) = items.split_first() else {
                    return Trouble::broken("its pickle makes an object of no class");
                };
                self.call(class, arguments);
            }
            b'b' => {
                let (state, object) = (self.pop()?, self.top()?);
                meaning::built(self, object, state);
            }
            code @ 0x82..=0x84 => {
                input.take(1 << (code - 0x82))?;
                self.push(Node::Opaque("an extension".into()));
            }
            0x97 => self.push(Node::Bytes),
            0x98 => {}
            code => {
                return Trouble::broken(format!("its pickle has the opcode {code:#04x}, which there is not"));
            }
        }
        Ok(false)
    }

    /// Appends to the list, or adds to the set, on top; an opaque object stays what it is.
    fn extend(&mut self, items: Vec<usize>) -> Result<(), Trouble> {
        let place = self.top()?;
        match &mut self.nodes[place] {
            Node::List(held) | Node::Set(held) => held.extend(items),
            Node::Opaque(_) => {}
            _ => return Trouble::broken("its pickle appends to what is no list"),
        }
        Ok(())
    }
    fn enter(&mut self, items: &[usize]) -> Result<(), Trouble> {
        let place = self.top()?;
        match &mut self.nodes[place] {
            Node::Dict(held) => held.extend(pairs(items)),
            Node::Opaque(_) => {}
            _ => return Trouble::broken("its pickle sets items of what is no dictionary"),
        }
        Ok(())
    }
}

const NO_NUMBER: &str = "its pickle has something else where a number belongs";

fn pairs(items: &[usize]) -> Vec<(usize, usize)> {
    items.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
}

/// A two's complement number of any length.
fn long(bytes: &[u8]) -> Node {
    let is_negative = bytes.last().is_some_and(|&byte| byte >= 0x80);
    let fill = if is_negative { 0xff } else { 0 };
    let mut wide = [fill; 8];
    if bytes.len() > 8 {
        return Node::Opaque("int".into());
    }
    wide[..bytes.len()].copy_from_slice(bytes);
    Node::Int(i64::from_le_bytes(wide))
}

/// What is left to read.
struct Input<'b> {
    bytes: &'b [u8],
    /// There is more than is granted.
    is_cut: bool,
}

impl<'b> Input<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], Trouble> {
        match self.bytes.split_at_checked(count) {
            Some((taken, rest)) => {
                self.bytes = rest;
                Ok(taken)
            }
            None if self.is_cut => Trouble::not_read(format!("its pickle is longer than {LONGEST} bytes")),
            None => Trouble::broken("the file ends in the middle of its pickle"),
        }
    }
    fn byte(&mut self) -> Result<u8, Trouble> {
        Ok(self.take(1)?[0])
    }
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Trouble> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }
    /// A little-endian number without a sign; one beyond memory is as good as the largest.
    fn count(&mut self, width: usize) -> Result<usize, Trouble> {
        let mut wide = [0; 8];
        wide[..width].copy_from_slice(self.take(width)?);
        Ok(usize::try_from(u64::from_le_bytes(wide)).unwrap_or(usize::MAX))
    }
    fn line(&mut self) -> Result<&'b str, Trouble> {
        let end = self.bytes.iter().position(|&byte| byte == b'\n').unwrap_or(self.bytes.len());
        let line = self.take(end)?;
        self.take(1)?;
        std::str::from_utf8(line).map_err(|_| Trouble::Broken("its pickle has a line that is no text".into()))
    }
}
