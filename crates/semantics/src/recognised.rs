//! Operators that exist and have no definition here, and why: the difference between "unknown, because it works
//! on strings" and a misspelt name.

/// The reason, for an operator of a domain that is known but not defined.
pub fn reason(domain: &str, name: &str) -> Option<&'static str> {
    let domain = if domain == "ai.onnx" { "" } else { domain };
    if let Some(known) = OPERATORS.iter().find(|known| known.domain == domain && known.name == name) {
        return Some(known.reason);
    }
    DOMAINS.iter().find(|(known, _)| *known == domain).map(|(_, reason)| *reason)
}

/// The reason, for an operator that is defined from a later version on only.
pub fn older(name: &str, version: u32) -> Option<&'static str> {
    let ended = OLDER.iter().find(|(known, first)| *known == name && version < *first);
    ended.map(|_| "this version of it has another form that is hardly used any more")
}

/// Operators whose first versions take other arguments, with the version from which on they are defined.
const OLDER: &[(&str, u32)] = &[("GlobalLpPool", 2), ("LpPool", 2), ("Tile", 6), ("Upsample", 7)];

/// An operator that is recognised only.
pub struct Recognised {
    pub name: &'static str,
    /// As ONNX names it; the default domain is empty.
    pub domain: &'static str,
    pub reason: &'static str,
}

const STRINGS: &str = "it works on strings";
const SEQUENCES: &str = "it works on sequences of tensors";
const OPTIONALS: &str = "it works on optional values";
const CLASSICAL: &str = "it belongs to classical machine learning";
const TRAINING: &str = "it belongs to training";
const PREVIEW: &str = "it is a preview that may still change";

/// Domains of which every operator is recognised, whatever its name.
pub const DOMAINS: &[(&str, &str)] = &[
    ("ai.onnx.ml", CLASSICAL),
    ("ai.onnx.training", TRAINING),
    ("ai.onnx.preview.training", TRAINING),
    ("ai.onnx.preview", PREVIEW),
    ("com.microsoft", "it is a contrib operator of ONNX Runtime"),
    ("com.microsoft.nchwc", "it is an internal operator of ONNX Runtime"),
    ("com.microsoft.experimental", "it is an experimental operator of ONNX Runtime"),
    ("com.ms.internal.nhwc", "it is an internal operator of ONNX Runtime"),
    ("ai.onnx.contrib", "it is an operator of the ONNX Runtime extensions"),
    ("org.pytorch.aten", "it is an operator of PyTorch that has no ONNX form"),
];

macro_rules! recognised { ($($domain:literal $reason:ident: $($name:ident)*;)*) => {
    &[$($(Recognised { name: stringify!($name), domain: $domain, reason: $reason },)*)*]
}; }

/// Operators by name.
pub const OPERATORS: &[Recognised] = recognised! {
    "" STRINGS: RegexFullMatch StringConcat StringNormalizer StringSplit TfIdfVectorizer;
    "" SEQUENCES: ConcatFromSequence SequenceAt SequenceConstruct SequenceEmpty SequenceErase SequenceInsert
        SequenceLength SequenceMap SplitToSequence;
    "" OPTIONALS: Optional OptionalGetElement OptionalHasElement;
    "ai.onnx.ml" CLASSICAL: ArrayFeatureExtractor Binarizer CastMap CategoryMapper DictVectorizer FeatureVectorizer
        Imputer LabelEncoder LinearClassifier LinearRegressor Normalizer OneHotEncoder SVMClassifier SVMRegressor
        Scaler TreeEnsemble TreeEnsembleClassifier TreeEnsembleRegressor ZipMap;
    "ai.onnx.preview.training" TRAINING: Adagrad Adam Gradient GraphCall Momentum;
    "ai.onnx.training" TRAINING: Adagrad Adam Gradient GraphCall Momentum;
    "ai.onnx.preview" PREVIEW: FlexAttention;
};

#[cfg(test)]
mod tests {
    use super::*;

    /// An operator is defined or recognised, not both.
    #[test]
    fn nothing_defined_is_merely_recognised() {
        for operator in crate::operators::ALL {
            for spelling in operator.spelled_by(crate::operator::Framework::Onnx) {
                assert!(reason("", spelling.name()).is_none(), "{} is defined", spelling.name());
            }
        }
    }

    #[test]
    fn reasons_depend_on_name_and_domain() {
        assert_eq!(reason("", "StringSplit"), Some(STRINGS));
        assert_eq!(reason("ai.onnx", "SequenceAt"), Some(SEQUENCES));
        assert_eq!(reason("ai.onnx.ml", "a name of tomorrow"), Some(CLASSICAL));
        assert_eq!(reason("", "Add"), None);
        assert_eq!(reason("my.domain", "Add"), None);
        assert!(older("Tile", 5).is_some() && older("Tile", 6).is_none() && older("Add", 1).is_none());
    }
}
