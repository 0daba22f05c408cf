//! Expressions, and the functions that lambdas and generator expressions stand for.

use super::{DEEPEST, Reader, span};
use crate::syntax::scopes::Declared;
use crate::syntax::{
    BinaryOperator, Body, Clause, Comparison, Comprehension, ComprehensionForm, Constant, Expr, ExprKind,
    FormatPart, GeneratorExpr, Name, Parameter, Parameters, Span, Stmt, StmtKind, UnaryOperator,
};
use ruff_python_ast as ast;
use ruff_text_size::{Ranged, TextRange};
use std::rc::Rc;

impl Reader {
    pub(super) fn exprs(&mut self, expressions: &[ast::Expr]) -> Vec<Expr> {
        expressions.iter().map(|expression| self.expr(expression)).collect()
    }
    pub(super) fn boxed(&mut self, expression: &ast::Expr) -> Box<Expr> {
        Box::new(self.expr(expression))
    }

    pub(super) fn expr(&mut self, expression: &ast::Expr) -> Expr {
        let at = span(expression.range());
        if self.depth > DEEPEST {
            self.too_deep.get_or_insert(at);
            return Expr { at, kind: ExprKind::Constant(Constant::None) };
        }
        self.depth += 1;
        let kind = self.expr_kind(expression);
        self.depth -= 1;
        Expr { at, kind }
    }

    fn expr_kind(&mut self, expression: &ast::Expr) -> ExprKind {
        use ast::Expr as E;
        match expression {
            E::NoneLiteral(_) => ExprKind::Constant(Constant::None),
            E::EllipsisLiteral(_) => ExprKind::Constant(Constant::Ellipsis),
            E::BooleanLiteral(it) => ExprKind::Constant(Constant::Bool(it.value)),
            E::NumberLiteral(it) => ExprKind::Constant(match &it.value {
                ast::Number::Int(value) => match value.as_i64() {
                    Some(value) => Constant::Int(value),
                    None => Constant::Big(value.to_string().into()),
                },
                ast::Number::Float(value) => Constant::Float(*value),
                ast::Number::Complex { real, imag } => Constant::Complex(*real, *imag),
            }),
            E::StringLiteral(it) => ExprKind::Constant(Constant::Text(it.value.to_str().into())),
            E::BytesLiteral(it) => ExprKind::Constant(Constant::Bytes(it.value.bytes().collect())),
            E::FString(it) => {
                let mut parts = Vec::new();
                for part in it.value.iter() {
                    match part {
                        ast::FStringPart::Literal(literal) => {
                            parts.push(FormatPart::Text(literal.as_str().into()));
                        }
                        ast::FStringPart::FString(string) => self.format(&string.elements, &mut parts),
                    }
                }
                ExprKind::Format(parts)
            }
            E::TString(_) | E::IpyEscapeCommand(_) => ExprKind::Constant(Constant::None),
            E::Name(it) => ExprKind::Name(self.own_name(it.id.as_str())),
            E::Attribute(it) => ExprKind::Attribute(self.boxed(&it.value), self.own_name(it.attr.as_str())),
            E::Subscript(it) => ExprKind::Subscript(self.boxed(&it.value), self.boxed(&it.slice)),
            E::Slice(it) => {
                let mut part = |part: &Option<Box<ast::Expr>>| part.as_ref().map(|part| self.boxed(part));
                ExprKind::Slice(part(&it.lower), part(&it.upper), part(&it.step))
            }
            E::Call(it) => {
                ExprKind::Call { function: self.boxed(&it.func), arguments: self.arguments(&it.arguments) }
            }
            E::UnaryOp(it) => {
                let operator = match it.op {
                    ast::UnaryOp::Invert => UnaryOperator::Invert,
                    ast::UnaryOp::Not => UnaryOperator::Not,
                    ast::UnaryOp::UAdd => UnaryOperator::Plus,
                    ast::UnaryOp::USub => UnaryOperator::Minus,
                };
                ExprKind::Unary(operator, self.boxed(&it.operand))
            }
            E::BinOp(it) => ExprKind::Binary(binary(it.op), self.boxed(&it.left), self.boxed(&it.right)),
            E::BoolOp(it) => {
                ExprKind::Logical { all: matches!(it.op, ast::BoolOp::And), operands: self.exprs(&it.values) }
            }
            E::Compare(it) => ExprKind::Compare {
                first: self.boxed(&it.left),
                rest: it
                    .ops
                    .iter()
                    .zip(&it.comparators)
                    .map(|(operator, operand)| (comparison(*operator), self.expr(operand)))
                    .collect(),
            },
            E::If(it) => ExprKind::Conditional {
                test: self.boxed(&it.test),
                then: self.boxed(&it.body),
                otherwise: self.boxed(&it.orelse),
            },
            E::Tuple(it) => ExprKind::Tuple(self.exprs(&it.elts)),
            E::List(it) => ExprKind::List(self.exprs(&it.elts)),
            E::Set(it) => ExprKind::Set(self.exprs(&it.elts)),
            E::Dict(it) => ExprKind::Dict(
                it.items
                    .iter()
                    .map(|item| (item.key.as_ref().map(|key| self.expr(key)), self.expr(&item.value)))
                    .collect(),
            ),
            E::Starred(it) => ExprKind::Starred(self.boxed(&it.value)),
            E::Lambda(it) => {
                let parameters = it.parameters.as_ref().map(|it| self.parameters(it)).unwrap_or_default();
                self.declared.push(Declared::default());
                let outer = std::mem::take(&mut self.before);
                let value = self.expr(&it.body);
                let at = value.at;
                let last = Stmt { at, kind: StmtKind::Return(Some(value)), yields: false };
                let before = std::mem::replace(&mut self.before, outer);
                let body: Body = before.into_iter().chain([last]).collect();
                let inner = self.inner(&parameters, body);
                let function = self.nameless("<lambda>", span(it.range), parameters, inner);
                ExprKind::Lambda(Rc::new(function))
            }
            E::ListComp(it) => {
                self.comprehension(ComprehensionForm::List, &it.elt, None, &it.generators, it.range)
            }
            E::SetComp(it) => {
                self.comprehension(ComprehensionForm::Set, &it.elt, None, &it.generators, it.range)
            }
            E::Generator(it) => self.generator(it),
            E::DictComp(it) => {
                let key = it.key.as_ref().unwrap_or(&it.value);
                self.comprehension(ComprehensionForm::Dict, key, Some(&it.value), &it.generators, it.range)
            }
            E::Named(it) => match &*it.target {
                ast::Expr::Name(target) => {
                    let name = self.own_name(target.id.as_str());
                    self.named.push(name);
                    ExprKind::Named(name, self.boxed(&it.value))
                }
                _ => self.expr(&it.value).kind,
            },
            E::Yield(it) => {
                let value = it.value.as_ref().map(|value| self.boxed(value));
                self.yielded(ExprKind::Yield(value), span(it.range))
            }
            E::YieldFrom(it) => {
                let value = self.boxed(&it.value);
                self.yielded(ExprKind::YieldFrom(value), span(it.range))
            }
            E::Await(it) => ExprKind::Await(self.boxed(&it.value)),
        }
    }

    fn comprehension(
        &mut self,
        form: ComprehensionForm,
        element: &ast::Expr,
        value: Option<&ast::Expr>,
        clauses: &[ast::Comprehension],
        range: TextRange,
    ) -> ExprKind {
        let clauses = clauses
            .iter()
            .map(|clause| Clause {
                target: self.expr(&clause.target),
                iterable: self.expr(&clause.iter),
                conditions: self.exprs(&clause.ifs),
            })
            .collect();
        ExprKind::Comprehension(Rc::new(Comprehension {
            form,
            element: self.expr(element),
            value: value.map(|value| self.expr(value)),
            clauses,
            at: span(range),
        }))
    }

    /// `(f(x) for x in xs if p(x))` is a function that loops and yields, called with `xs`.
    fn generator(&mut self, it: &ast::ExprGenerator) -> ExprKind {
        let at = span(it.range);
        let Some((first, rest)) = it.generators.split_first() else {
            return ExprKind::Constant(Constant::None);
        };
        let iterable = self.expr(&first.iter);
        let known = self.named.len();
        self.declared.push(Declared::default());
        let outer = std::mem::take(&mut self.before);
        let stmt = |kind| Stmt { at, kind, yields: true };
        let parameter = Name::new("<iterable>");
        let mut heads = vec![(
            self.expr(&first.target),
            Expr { at: iterable.at, kind: ExprKind::Name(parameter) },
            self.exprs(&first.ifs),
        )];
        for clause in rest {
            let (target, iterable) = (self.expr(&clause.target), self.expr(&clause.iter));
            heads.push((target, iterable, self.exprs(&clause.ifs)));
        }
        let element = self.boxed(&it.elt);
        self.yielded(ExprKind::Yield(Some(element)), at);
        let mut body: Body = std::mem::replace(&mut self.before, outer).into();
        for (target, iterable, conditions) in heads.into_iter().rev() {
            for test in conditions.into_iter().rev() {
                body = Rc::new([stmt(StmtKind::If { test, body, orelse: Rc::new([]) })]);
            }
            body = Rc::new([stmt(StmtKind::For { target, iterable, body, orelse: Rc::new([]) })]);
        }
        let parameter = Parameter { name: parameter, default: None, annotation: None };
        let parameters = Parameters { positional: vec![parameter], ..Parameters::default() };
        let mut inner = self.inner(&parameters, body);
        let named = self.named[known..].to_vec();
        inner.scope.locals.retain(|name| !named.contains(name));
        let function = self.nameless("<genexpr>", at, parameters, inner);
        ExprKind::Generator(Rc::new(GeneratorExpr { function: Rc::new(function), first: iterable, named }))
    }

    fn format(&mut self, elements: &ast::InterpolatedStringElements, parts: &mut Vec<FormatPart>) {
        for element in elements.iter() {
            match element {
                ast::InterpolatedStringElement::Literal(it) => {
                    parts.push(FormatPart::Text((&*it.value).into()))
                }
                ast::InterpolatedStringElement::Interpolation(it) => {
                    let mut format = Vec::new();
                    if let Some(specification) = &it.format_spec {
                        self.format(&specification.elements, &mut format);
                    }
                    let conversion = match it.conversion {
                        ast::ConversionFlag::None => None,
                        ast::ConversionFlag::Str => Some('s'),
                        ast::ConversionFlag::Ascii => Some('a'),
                        ast::ConversionFlag::Repr => Some('r'),
                    };
                    let debug = it.debug_text.as_ref().map(|around| {
                        let Span { start, end } = span(it.expression.range());
                        let written = self.source.text.get(start as usize..end as usize).unwrap_or("");
                        format!("{}{written}{}", around.leading(), around.trailing()).into()
                    });
                    let conversion = match conversion {
                        None if debug.is_some() && it.format_spec.is_none() => Some('r'),
                        conversion => conversion,
                    };
                    let value = self.expr(&it.expression);
                    parts.push(FormatPart::Value { value, conversion, format, debug });
                }
            }
        }
    }
}

pub(super) fn binary(operator: ast::Operator) -> BinaryOperator {
    match operator {
        ast::Operator::Add => BinaryOperator::Add,
        ast::Operator::Sub => BinaryOperator::Sub,
        ast::Operator::Mult => BinaryOperator::Mul,
        ast::Operator::MatMult => BinaryOperator::MatMul,
        ast::Operator::Div => BinaryOperator::Div,
        ast::Operator::FloorDiv => BinaryOperator::FloorDiv,
        ast::Operator::Mod => BinaryOperator::Mod,
        ast::Operator::Pow => BinaryOperator::Pow,
        ast::Operator::LShift => BinaryOperator::ShiftLeft,
        ast::Operator::RShift => BinaryOperator::ShiftRight,
        ast::Operator::BitOr => BinaryOperator::BitOr,
        ast::Operator::BitXor => BinaryOperator::BitXor,
        ast::Operator::BitAnd => BinaryOperator::BitAnd,
    }
}

fn comparison(operator: ast::CmpOp) -> Comparison {
    match operator {
        ast::CmpOp::Eq => Comparison::Equal,
        ast::CmpOp::NotEq => Comparison::NotEqual,
        ast::CmpOp::Lt => Comparison::Less,
        ast::CmpOp::LtE => Comparison::LessEqual,
        ast::CmpOp::Gt => Comparison::Greater,
        ast::CmpOp::GtE => Comparison::GreaterEqual,
        ast::CmpOp::Is => Comparison::Is,
        ast::CmpOp::IsNot => Comparison::IsNot,
        ast::CmpOp::In => Comparison::In,
        ast::CmpOp::NotIn => Comparison::NotIn,
    }
}
