//! Checkpoints as zip archives, the form since PyTorch 1.6: a pickle beside one entry per storage.

use std::io::{Cursor, Read};

use bytes::Bytes;
use zip::ZipArchive;

use super::pickle::{LONGEST, Unpickler};
use super::{Checkpoint, Node, Trouble};

pub(super) fn read(content: Bytes) -> Result<Checkpoint, Trouble> {
    let mut archive = match ZipArchive::new(Cursor::new(content)) {
        Ok(archive) => archive,
        Err(error) => return Trouble::broken(format!("its archive is cut short or damaged: {error}")),
    };
    let inside = |name: &str| name.split_once('/').map(|(_, rest)| rest.to_owned());
    let names: Vec<String> = archive.file_names().filter_map(|name| Some(name.ok()?.into_owned())).collect();
    let find = |wanted: &str| names.iter().find(|name| inside(name).as_deref() == Some(wanted)).cloned();
    let Some(pickle) = find("data.pkl") else {
        return Trouble::broken("its archive has no `data.pkl`: `torch.save` did not write it");
    };
    if find("constants.pkl").is_some() {
        return Trouble::not_read("it is a TorchScript program");
    }
    let mut bytes = Vec::new();
    let entry = archive.by_name(&pickle).map_err(|error| Trouble::Broken(format!("`data.pkl`: {error}")))?;
    let read = entry.take(LONGEST as u64 + 1).read_to_end(&mut bytes);
    if let Err(error) = read {
        return Trouble::broken(format!("`data.pkl` cannot be unpacked: {error}"));
    }
    let mut run = Unpickler::default();
    let (root, _) = run.read(&bytes)?;
    // A weight that is not there, or not all of it, makes PyTorch fail when it gets there.
    let folder = pickle.trim_end_matches("data.pkl");
    let storages = run.nodes.iter().filter_map(|node| match node {
        Node::Storage { kind, key, count } => Some((*kind, key, *count)),
        _ => None,
    });
    for (kind, key, count) in storages {
        let Ok(entry) = archive.by_name(&format!("{folder}data/{key}")) else {
            return Trouble::broken(format!("its archive lacks the elements `data/{key}`"));
        };
        let needed = kind.and_then(|kind| kind.bits()).map(|bits| count.saturating_mul(u64::from(bits / 8)));
        if needed.is_some_and(|needed| entry.size() < needed) {
            return Trouble::broken(format!(
                "its archive has {} of the elements `data/{key}` only in part",
                count
            ));
        }
    }
    Ok(Checkpoint { nodes: run.nodes, root })
}
