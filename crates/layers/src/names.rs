//! Classes of Keras that have several names.

/// Other names that Keras has for layers.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("AvgPool1D", "AveragePooling1D"),
    ("AvgPool2D", "AveragePooling2D"),
    ("AvgPool3D", "AveragePooling3D"),
    ("Convolution1D", "Conv1D"),
    ("Convolution1DTranspose", "Conv1DTranspose"),
    ("Convolution2D", "Conv2D"),
    ("Convolution2DTranspose", "Conv2DTranspose"),
    ("Convolution3D", "Conv3D"),
    ("Convolution3DTranspose", "Conv3DTranspose"),
    ("GlobalAvgPool1D", "GlobalAveragePooling1D"),
    ("GlobalAvgPool2D", "GlobalAveragePooling2D"),
    ("GlobalAvgPool3D", "GlobalAveragePooling3D"),
    ("GlobalMaxPool1D", "GlobalMaxPooling1D"),
    ("GlobalMaxPool2D", "GlobalMaxPooling2D"),
    ("GlobalMaxPool3D", "GlobalMaxPooling3D"),
    ("GroupedQueryAttention", "GroupQueryAttention"),
    ("MaxPool1D", "MaxPooling1D"),
    ("MaxPool2D", "MaxPooling2D"),
    ("MaxPool3D", "MaxPooling3D"),
    ("SeparableConvolution1D", "SeparableConv1D"),
    ("SeparableConvolution2D", "SeparableConv2D"),
];

/// The name of the class that a name means.
pub fn class(name: &str) -> &str {
    OTHER_NAMES.iter().find(|(other, _)| *other == name).map_or(name, |(_, class)| class)
}
