//! From text to the tree, by way of the parser of ruff.

mod expressions;

use super::lazy::Pending;
use super::outline::{LeftOut, outline};
use super::scopes::{self, Declared};
use super::{
    Argument, Body, Case, ClassDef, Constant, Expr, ExprKind, FunctionDef, Handler, Inner, Module, Name,
    Parameter, Parameters, Pattern, Position, Source, Span, Stmt, StmtKind,
};
use expressions::binary;
use ruff_python_ast as ast;
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::rc::Rc;

/// Why a file is not Python.
#[derive(Clone, Debug)]
pub struct SyntaxError {
    pub message: String,
    pub at: Position,
}

/// Nesting deeper than this is refused, as Python does.
const DEEPEST: usize = 200;

/// Reads a module. `path` is how the user names the file.
pub fn read(path: &str, text: String, is_library: bool) -> Result<Module, (Rc<Source>, SyntaxError)> {
    let source = Source { is_library, ..source(path, text.into()) };
    // Of the user's own file everything is checked, so everything is read.
    match is_library {
        true => {
            let (outline, left_out) = outline(&source.text);
            read_as(source, Some(&outline), &left_out)
        }
        false => read_as(source, None, &[]),
    }
}
/// Reads a module of a library as it is.
pub fn read_package(path: &str, text: String) -> Result<Module, (Rc<Source>, SyntaxError)> {
    read_as(Source { is_package: true, ..source(path, text.into()) }, None, &[])
}
/// Reads a module of a library of which there is an outline already.
pub fn read_outlined(
    path: &str,
    text: &'static str,
    outline: &str,
    left_out: &[LeftOut],
) -> Result<Module, (Rc<Source>, SyntaxError)> {
    read_as(Source { is_library: true, ..source(path, text.into()) }, Some(outline), left_out)
}
fn source(path: &str, text: Cow<'static, str>) -> Source {
    Source { path: path.to_owned(), text, is_library: false, is_package: false, line_starts: OnceCell::new() }
}
fn read_as(
    source: Source,
    outline: Option<&str>,
    left_out: &[LeftOut],
) -> Result<Module, (Rc<Source>, SyntaxError)> {
    let source = Rc::new(source);
    let parsed = match ruff_python_parser::parse_module(outline.unwrap_or(&source.text)) {
        Ok(parsed) => parsed,
        Err(error) => {
            let at = source.position(error.location.start().into());
            return Err((source, SyntaxError { message: error.error.to_string(), at }));
        }
    };
    let mut reader = Reader::of(source.clone());
    reader.left_out = left_out.iter().map(|found| (found.body, *found)).collect();
    let body = reader.body(&parsed.syntax().body);
    if let Some((word, at)) = reader.repeated {
        let at = source.position(at.start);
        return Err((source, SyntaxError { message: format!("keyword argument repeated: {word}"), at }));
    }
    if let Some(at) = reader.too_deep {
        let at = source.position(at.start);
        return Err((source, SyntaxError { message: "too many nested parts".into(), at }));
    }
    Ok(Module { source, body, doc: doc(&parsed.syntax().body) })
}

/// What is inside the only function of a text, of a class if one is named.
pub(super) fn read_function(text: &str, class: Option<&str>) -> Inner {
    let source = Source { is_library: true, ..source("", "".into()) };
    let mut reader = Reader::of(Rc::new(source));
    reader.classes.extend(class.map(Into::into));
    let Ok(parsed) = ruff_python_parser::parse_module(text) else { return Inner::default() };
    let mut body = &parsed.syntax().body[..];
    while let [ast::Stmt::If(around)] = body {
        body = &around.body;
    }
    match body {
        [ast::Stmt::FunctionDef(it)] => reader.function(it).inner.into_inner().unwrap_or_default(),
        _ => Inner::default(),
    }
}

struct Reader {
    /// The functions whose bodies the outline leaves out, by the place of the body.
    left_out: FxHashMap<usize, LeftOut>,
    /// `global` and `nonlocal` names of the bodies being read, innermost last.
    declared: Vec<Declared>,
    /// The classes whose bodies are being read: names that start with `__` are theirs alone.
    classes: Vec<Box<str>>,
    /// What goes before the statement that is being read: the `yield`s inside it.
    before: Vec<Stmt>,
    /// Names bound by `:=` so far.
    named: Vec<Name>,
    /// How many `yield`s were read so far.
    yields: usize,
    depth: usize,
    source: Rc<Source>,
    too_deep: Option<Span>,
    /// An argument that a call is given twice by name.
    repeated: Option<(Name, Span)>,
}

impl Reader {
    fn of(source: Rc<Source>) -> Reader {
        Reader {
            left_out: FxHashMap::default(),
            declared: vec![Declared::default()],
            classes: Vec::new(),
            before: Vec::new(),
            named: Vec::new(),
            yields: 0,
            depth: 0,
            source,
            too_deep: None,
            repeated: None,
        }
    }
}

fn span(range: TextRange) -> Span {
    Span { start: range.start().into(), end: range.end().into() }
}
fn name(identifier: &ast::Identifier) -> Name {
    Name::new(identifier.as_str())
}
fn doc(body: &[ast::Stmt]) -> Option<Rc<str>> {
    match body.first()? {
        ast::Stmt::Expr(it) => match &*it.value {
            ast::Expr::StringLiteral(text) => Some(text.value.to_str().into()),
            _ => None,
        },
        _ => None,
    }
}

impl Reader {
    fn body(&mut self, body: &[ast::Stmt]) -> Body {
        let outer = std::mem::take(&mut self.before);
        let mut read = Vec::with_capacity(body.len());
        for statement in body {
            let statement = self.statement(statement);
            read.append(&mut self.before);
            read.extend(statement);
        }
        self.before = outer;
        read.into()
    }

    /// A name as the classes around it see it: `__x` in a class `A` is `_A__x`.
    fn own_name(&self, text: &str) -> Name {
        match self.classes.last() {
            Some(class) if text.starts_with("__") && !text.ends_with("__") && !text.contains('.') => {
                Name::new(&format!("_{}{text}", class.trim_start_matches('_')))
            }
            _ => Name::new(text),
        }
    }

    /// Takes a `yield` out of the expression around it: `f((yield x))` is `<yield> = yield x; f(<yield>)`.
    fn yielded(&mut self, value: ExprKind, at: Span) -> ExprKind {
        let name = Name::new(&format!("<yield {}>", self.before.len()));
        let target = Expr { at, kind: ExprKind::Name(name) };
        let kind = StmtKind::Assign { targets: vec![target], value: Expr { at, kind: value } };
        self.before.push(Stmt { at, kind, yields: true });
        self.yields += 1;
        ExprKind::Name(name)
    }

    fn statement(&mut self, statement: &ast::Stmt) -> Option<Stmt> {
        let at = span(statement.range());
        if self.depth > DEEPEST {
            self.too_deep.get_or_insert(at);
            return None;
        }
        self.depth += 1;
        let yields = self.yields;
        let kind = self.kind(statement);
        self.depth -= 1;
        Some(Stmt { at, kind: kind?, yields: self.yields > yields })
    }

    fn kind(&mut self, statement: &ast::Stmt) -> Option<StmtKind> {
        use ast::Stmt as S;
        Some(match statement {
            S::Expr(it) => StmtKind::Expr(self.expr(&it.value)),
            S::Assign(it) => {
                StmtKind::Assign { targets: self.exprs(&it.targets), value: self.expr(&it.value) }
            }
            S::AugAssign(it) => StmtKind::Augmented {
                target: self.expr(&it.target),
                operator: binary(it.op),
                value: self.expr(&it.value),
            },
            S::AnnAssign(it) => StmtKind::Annotated {
                target: self.expr(&it.target),
                annotation: self.expr(&it.annotation),
                value: it.value.as_ref().map(|value| self.expr(value)),
            },
            S::Return(it) => StmtKind::Return(it.value.as_ref().map(|value| self.expr(value))),
            S::Raise(it) => StmtKind::Raise {
                exception: it.exc.as_ref().map(|value| self.expr(value)),
                cause: it.cause.as_ref().map(|value| self.expr(value)),
            },
            S::Assert(it) => StmtKind::Assert {
                test: self.expr(&it.test),
                message: it.msg.as_ref().map(|value| self.expr(value)),
            },
            S::Delete(it) => StmtKind::Delete(self.exprs(&it.targets)),
            S::Pass(_) => StmtKind::Pass,
            S::Break(_) => StmtKind::Break,
            S::Continue(_) => StmtKind::Continue,
            S::If(it) => StmtKind::If {
                test: self.expr(&it.test),
                body: self.body(&it.body),
                orelse: self.otherwise(&it.elif_else_clauses),
            },
            S::While(it) => self.repeated(it),
            S::For(it) => StmtKind::For {
                target: self.expr(&it.target),
                iterable: self.expr(&it.iter),
                body: self.body(&it.body),
                orelse: self.body(&it.orelse),
            },
            S::With(it) => StmtKind::With {
                items: it
                    .items
                    .iter()
                    .map(|item| {
                        let target = item.optional_vars.as_ref().map(|target| self.expr(target));
                        (self.expr(&item.context_expr), target)
                    })
                    .collect(),
                body: self.body(&it.body),
            },
            S::Try(it) => StmtKind::Try {
                body: self.body(&it.body),
                handlers: it.handlers.iter().map(|handler| self.handler(handler)).collect(),
                orelse: self.body(&it.orelse),
                last: self.body(&it.finalbody),
            },
            S::Import(it) => StmtKind::Import(
                it.names
                    .iter()
                    .map(|alias| (alias.name.as_str().into(), alias.asname.as_ref().map(name)))
                    .collect(),
            ),
            S::ImportFrom(it) => StmtKind::ImportFrom {
                module: it.module.as_ref().map_or("", |module| module.as_str()).into(),
                level: it.level,
                names: it
                    .names
                    .iter()
                    .map(|alias| (name(&alias.name), alias.asname.as_ref().map(name), span(alias.range)))
                    .collect(),
            },
            S::Global(it) => {
                let names: Vec<Name> = it.names.iter().map(|name| self.own_name(name.as_str())).collect();
                self.declared.last_mut()?.globals.extend(names);
                StmtKind::Global
            }
            S::Nonlocal(it) => {
                let names: Vec<Name> = it.names.iter().map(|name| self.own_name(name.as_str())).collect();
                self.declared.last_mut()?.nonlocals.extend(names);
                StmtKind::Global
            }
            S::FunctionDef(it) => StmtKind::Function(Rc::new(self.function(it))),
            S::ClassDef(it) => StmtKind::Class(Rc::new(self.class(it))),
            S::Match(it) => StmtKind::Match {
                subject: self.expr(&it.subject),
                cases: it.cases.iter().map(|case| self.case(case)).collect(),
            },
            S::TypeAlias(it) => {
                StmtKind::Assign { targets: vec![self.expr(&it.name)], value: self.expr(&it.value) }
            }
            S::IpyEscapeCommand(_) => return None,
        })
    }

    /// A loop whose condition yields asks it inside: `while True: <yield> = …; if not test: break`.
    fn repeated(&mut self, it: &ast::StmtWhile) -> StmtKind {
        let outer = std::mem::take(&mut self.before);
        let test = self.expr(&it.test);
        let before = std::mem::replace(&mut self.before, outer);
        let (body, orelse) = (self.body(&it.body), self.body(&it.orelse));
        if before.is_empty() {
            return StmtKind::While { test, body, orelse };
        }
        let at = test.at;
        let stmt = |kind| Stmt { at, kind, yields: true };
        let leave = StmtKind::If { test, body: Rc::new([]), orelse: Rc::new([stmt(StmtKind::Break)]) };
        let ask = StmtKind::If {
            test: Expr { at, kind: ExprKind::Constant(Constant::Bool(true)) },
            body,
            orelse: Rc::new([]),
        };
        let all: Vec<Stmt> = before.into_iter().chain([stmt(leave), stmt(ask)]).collect();
        let test = Expr { at, kind: ExprKind::Constant(Constant::Bool(true)) };
        StmtKind::While { test, body: all.into(), orelse }
    }

    fn otherwise(&mut self, clauses: &[ast::ElifElseClause]) -> Body {
        let Some((first, rest)) = clauses.split_first() else { return Rc::new([]) };
        match &first.test {
            None => self.body(&first.body),
            Some(test) => {
                let outer = std::mem::take(&mut self.before);
                let yields = self.yields;
                let test = self.expr(test);
                let kind = StmtKind::If { test, body: self.body(&first.body), orelse: self.otherwise(rest) };
                let last = Stmt { at: span(first.range), kind, yields: self.yields > yields };
                let before = std::mem::replace(&mut self.before, outer);
                before.into_iter().chain([last]).collect()
            }
        }
    }

    fn handler(&mut self, handler: &ast::ExceptHandler) -> Handler {
        let ast::ExceptHandler::ExceptHandler(handler) = handler;
        Handler {
            at: span(handler.range),
            matches: handler.type_.as_ref().map(|matches| self.expr(matches)),
            name: handler.name.as_ref().map(name),
            body: self.body(&handler.body),
        }
    }

    fn function(&mut self, it: &ast::StmtFunctionDef) -> FunctionDef {
        let decorators = it.decorator_list.iter().map(|decorator| self.expr(&decorator.expression)).collect();
        let parameters = self.parameters(&it.parameters);
        let returns = it.returns.as_ref().map(|returns| self.expr(returns));
        let name = self.own_name(it.name.as_str());
        let first = it.body.first().map(|first| usize::from(first.range().start()));
        let left_out = first.and_then(|first| self.left_out.get(&first));
        let pending = left_out.map(|&found| Pending {
            source: self.source.clone(),
            found,
            class: self.classes.last().cloned(),
        });
        let inner = OnceCell::new();
        if pending.is_none() {
            self.declared.push(Declared::default());
            let body = self.body(&it.body);
            let read = Inner { doc: doc(&it.body), ..self.inner(&parameters, body) };
            inner.get_or_init(|| read);
        }
        let (at, is_async) = (span(it.range), it.is_async);
        FunctionDef { name, at, decorators, parameters, returns, is_async, inner, pending }
    }

    /// A function without a name of its own, whose body has just been read.
    fn nameless(&mut self, name: &str, at: Span, parameters: Parameters, inner: Inner) -> FunctionDef {
        let (name, inner) = (Name::new(name), OnceCell::from(inner));
        let decorators = Vec::new();
        FunctionDef { name, at, decorators, parameters, returns: None, is_async: false, inner, pending: None }
    }

    /// What is inside a function whose body has just been read.
    fn inner(&mut self, parameters: &Parameters, body: Body) -> Inner {
        let declared = self.declared.pop().unwrap_or_default();
        let names: Vec<Name> = parameters.all().map(|parameter| parameter.name).collect();
        let scope = scopes::scope(names.into_iter(), &body, declared);
        let is_generator = scopes::yields(&body);
        Inner { body, scope, is_generator, doc: None }
    }

    fn class(&mut self, it: &ast::StmtClassDef) -> ClassDef {
        let decorators = it.decorator_list.iter().map(|decorator| self.expr(&decorator.expression)).collect();
        let bases = it.arguments.as_ref().map_or_else(Vec::new, |arguments| self.arguments(arguments));
        self.declared.push(Declared::default());
        self.classes.push(it.name.as_str().into());
        let body = self.body(&it.body);
        self.classes.pop();
        let declared = self.declared.pop().unwrap_or_default();
        let scope = scopes::scope(std::iter::empty(), &body, declared);
        let name = self.own_name(it.name.as_str());
        ClassDef { name, at: span(it.range), decorators, bases, body, scope, doc: doc(&it.body) }
    }

    fn parameters(&mut self, parameters: &ast::Parameters) -> Parameters {
        let mut with_default = |it: &ast::ParameterWithDefault| Parameter {
            name: self.own_name(it.parameter.name.as_str()),
            default: it.default.as_ref().map(|default| self.expr(default)),
            annotation: it.parameter.annotation.as_ref().map(|annotation| self.expr(annotation)),
        };
        let positional: Vec<Parameter> =
            parameters.posonlyargs.iter().chain(&parameters.args).map(&mut with_default).collect();
        let keyword_only = parameters.kwonlyargs.iter().map(&mut with_default).collect();
        let mut plain = |it: &ast::Parameter| Parameter {
            name: self.own_name(it.name.as_str()),
            default: None,
            annotation: it.annotation.as_ref().map(|annotation| self.expr(annotation)),
        };
        Parameters {
            positional_only: parameters.posonlyargs.len(),
            positional,
            variadic: parameters.vararg.as_ref().map(|it| plain(it)),
            keyword_only,
            keywords: parameters.kwarg.as_ref().map(|it| plain(it)),
        }
    }

    fn arguments(&mut self, arguments: &ast::Arguments) -> Vec<Argument> {
        let positional = arguments.args.iter().map(|argument| match argument {
            ast::Expr::Starred(starred) => {
                (argument.range().start(), Argument::Star(self.expr(&starred.value)))
            }
            argument => (argument.range().start(), Argument::Positional(self.expr(argument))),
        });
        let mut all: Vec<_> = positional.collect();
        for (number, keyword) in arguments.keywords.iter().enumerate() {
            let is_same = |other: &ast::Keyword| {
                keyword.arg.is_some() && other.arg.as_deref() == keyword.arg.as_deref()
            };
            if let Some(word) = &keyword.arg
                && arguments.keywords[..number].iter().any(is_same)
            {
                self.repeated.get_or_insert((name(word), span(keyword.range)));
            }
        }
        all.extend(arguments.keywords.iter().map(|keyword| {
            let value = self.expr(&keyword.value);
            let argument = match &keyword.arg {
                Some(word) => Argument::Keyword(self.own_name(word.as_str()), value),
                None => Argument::DoubleStar(value),
            };
            (keyword.range.start(), argument)
        }));
        // Evaluated in the order they are written.
        all.sort_by_key(|(start, _)| *start);
        all.into_iter().map(|(_, argument)| argument).collect()
    }

    fn case(&mut self, case: &ast::MatchCase) -> Case {
        Case {
            pattern: self.pattern(&case.pattern),
            guard: case.guard.as_ref().map(|guard| self.expr(guard)),
            body: self.body(&case.body),
        }
    }

    fn pattern(&mut self, pattern: &ast::Pattern) -> Pattern {
        use ast::Pattern as P;
        match pattern {
            P::MatchValue(it) => Pattern::Value(self.expr(&it.value)),
            P::MatchSingleton(it) => Pattern::Singleton(match it.value {
                ast::Singleton::None => Constant::None,
                ast::Singleton::True => Constant::Bool(true),
                ast::Singleton::False => Constant::Bool(false),
            }),
            P::MatchSequence(it) => {
                Pattern::Sequence(it.patterns.iter().map(|it| self.pattern(it)).collect())
            }
            P::MatchMapping(it) => Pattern::Mapping {
                keys: self.exprs(&it.keys),
                patterns: it.patterns.iter().map(|it| self.pattern(it)).collect(),
                rest: it.rest.as_ref().map(name),
            },
            P::MatchClass(it) => Pattern::Class {
                class: self.expr(&it.cls),
                patterns: it.arguments.patterns.iter().map(|it| self.pattern(it)).collect(),
                keywords: it
                    .arguments
                    .keywords
                    .iter()
                    .map(|keyword| (name(&keyword.attr), self.pattern(&keyword.pattern)))
                    .collect(),
            },
            P::MatchStar(it) => Pattern::Star(it.name.as_ref().map(name)),
            P::MatchAs(it) => Pattern::As {
                pattern: it.pattern.as_ref().map(|it| Box::new(self.pattern(it))),
                name: it.name.as_ref().map(name),
            },
            P::MatchOr(it) => Pattern::Or(it.patterns.iter().map(|it| self.pattern(it)).collect()),
        }
    }
}

impl Parameters {
    /// Whether there is a place for so many arguments by position and for these by name.
    pub fn takes(&self, positional: usize, keywords: &[(Name, crate::value::Value)]) -> bool {
        let named = |word: &Name| {
            self.positional.iter().chain(&self.keyword_only).any(|parameter| parameter.name == *word)
        };
        (self.variadic.is_some() || positional <= self.positional.len())
            && (self.keywords.is_some() || keywords.iter().all(|(word, _)| named(word)))
    }
    /// Every parameter, in the order they are written.
    pub fn all(&self) -> impl Iterator<Item = &Parameter> {
        self.positional.iter().chain(&self.variadic).chain(&self.keyword_only).chain(&self.keywords)
    }
}
