//! What shall stand in a client's settings, as changes of a value: nothing else of it is touched.

use serde_json::{Map, Value};

use super::launch::{HOME, is_carnet, is_hook};

/// One thing that is put into settings, and taken out again.
#[derive(Clone, Debug)]
pub(super) enum Wish {
    /// An object that is ours, at this path. `fixed` keys are written again, `first` only when the object is new.
    Entry { path: &'static [&'static str], fixed: Map<String, Value>, first: Map<String, Value> },
    /// A word in a list; where it is not wanted it stays as it is, and is only taken out with the rest.
    Listed { path: &'static [&'static str], word: &'static str, wanted: bool },
    /// One hook for each of these events.
    Hooks { wanted: Vec<(&'static str, Value)> },
    /// The name of the memory provider, where nobody else is one.
    Provider,
}

/// Keys under which a registration keeps its environment.
const ENVIRONMENTS: [&str; 2] = ["env", "environment"];

impl Wish {
    /// Puts it into `settings`; an error says what stands in the way.
    pub(super) fn put(&self, settings: &mut Value) -> Result<(), String> {
        match self {
            Self::Entry { path, fixed, first } => put_entry(settings, path, fixed, first),
            Self::Listed { wanted: false, .. } => Ok(()),
            Self::Listed { path, word, .. } => {
                let (key, above) = path.split_last().ok_or("no path")?;
                let object = object_at(settings, above)?;
                let list = object.entry(*key).or_insert_with(|| Value::Array(Vec::new()));
                let list = list.as_array_mut().ok_or_else(|| format!("`{key}` is not a list"))?;
                if !list.iter().any(|item| item == word) {
                    list.push(Value::from(*word));
                }
                Ok(())
            }
            Self::Hooks { wanted } => put_hooks(settings, wanted),
            Self::Provider => {
                let memory = object_at(settings, &["memory"])?;
                match memory.get("provider") {
                    Some(Value::String(other)) if !other.is_empty() && other != "carnet" => {
                        Err(format!(
                            "`memory.provider` is `{other}` already, and there can be only one"
                        ))
                    }
                    Some(Value::String(_) | Value::Null) | None => {
                        memory.insert("provider".to_owned(), Value::from("carnet"));
                        Ok(())
                    }
                    Some(_) => Err("`memory.provider` is not a name".to_owned()),
                }
            }
        }
    }

    /// Returns a registration as a person would write it.
    pub(super) fn shown(&self) -> String {
        let Self::Entry { path, fixed, .. } = self else { return String::new() };
        format!("{} = {}", path.join("."), Value::Object(fixed.clone()))
    }

    /// Takes it out of `settings`, and what is empty without it.
    pub(super) fn take(&self, settings: &mut Value) {
        match self {
            Self::Entry { path, .. } => prune(settings, path, |_| true),
            Self::Listed { path, word, .. } => prune(settings, path, |list| {
                let Some(list) = list.as_array_mut() else { return false };
                let before = list.len();
                list.retain(|item| item != word);
                list.is_empty() && before > 0
            }),
            Self::Hooks { .. } => {
                let Some(hooks) = settings.get_mut("hooks").and_then(Value::as_object_mut) else {
                    return;
                };
                let before = hooks.len();
                hooks.retain(|_, groups| !(take_handlers(groups, 0) && is_empty(groups)));
                if hooks.is_empty() && before > 0 {
                    remove(settings, "hooks");
                }
            }
            Self::Provider => {
                prune(settings, &["memory", "provider"], |provider| provider == "carnet");
            }
        }
    }
}

/// Returns the object at `path`, created where it is missing.
fn object_at<'a>(
    settings: &'a mut Value,
    path: &[&str],
) -> Result<&'a mut Map<String, Value>, String> {
    let mut object = settings.as_object_mut().ok_or("it holds no object")?;
    for key in path {
        let next = object.entry(*key).or_insert_with(|| Value::Object(Map::new()));
        if next.is_null() {
            *next = Value::Object(Map::new());
        }
        object = next.as_object_mut().ok_or_else(|| format!("`{key}` is not an object"))?;
    }
    Ok(object)
}

fn put_entry(
    settings: &mut Value,
    path: &[&str],
    fixed: &Map<String, Value>,
    first: &Map<String, Value>,
) -> Result<(), String> {
    let (key, above) = path.split_last().ok_or("no path")?;
    let object = object_at(settings, above)?;
    let Some(entry) = object.get_mut(*key).and_then(Value::as_object_mut) else {
        let whole = fixed.iter().chain(first).map(|(key, value)| (key.clone(), value.clone()));
        object.insert((*key).to_owned(), whole.collect());
        return Ok(());
    };
    if !entry.is_empty() && !starts_carnet(entry) {
        return Err(format!("`{}` is another server of that name", path.join(".")));
    }
    for (key, value) in fixed.iter().filter(|(key, _)| !ENVIRONMENTS.contains(&key.as_str())) {
        entry.insert(key.clone(), value.clone());
    }
    // Names that are not ours stay.
    for key in ENVIRONMENTS {
        let home = fixed.get(key).and_then(|env| env.get(HOME));
        let Some(env) = entry.get_mut(key).and_then(Value::as_object_mut) else {
            entry.extend(fixed.get(key).map(|env| (key.to_owned(), env.clone())));
            continue;
        };
        let before = env.clone();
        match home {
            Some(home) => env.insert(HOME.to_owned(), home.clone()),
            None => env.shift_remove(HOME),
        };
        if env.is_empty() && !before.is_empty() {
            entry.shift_remove(key);
        }
    }
    Ok(())
}

/// Returns whether a registration starts a program called carnet.
fn starts_carnet(entry: &Map<String, Value>) -> bool {
    let command = entry.get("command");
    let program = command.and_then(Value::as_array).and_then(|words| words.first()).or(command);
    program.and_then(Value::as_str).is_some_and(is_carnet)
}

fn put_hooks(settings: &mut Value, wanted: &[(&'static str, Value)]) -> Result<(), String> {
    let hooks = object_at(settings, &["hooks"])?;
    // Events that we once hooked.
    let unwanted = |event: &str| !wanted.iter().any(|(name, _)| *name == event);
    hooks
        .retain(|event, groups| !(unwanted(event) && take_handlers(groups, 0) && is_empty(groups)));
    for (event, handler) in wanted {
        let groups = hooks.entry(*event).or_insert_with(|| Value::Array(Vec::new()));
        let list = groups.as_array_mut().ok_or_else(|| format!("`hooks.{event}` is not a list"))?;
        if let Some(ours) = list.iter_mut().flat_map(handlers).find(|it| is_ours(it)) {
            *ours = handler.clone();
        } else {
            list.push(serde_json::json!({ "hooks": [handler] }));
        }
        take_handlers(groups, 1);
    }
    Ok(())
}

fn handlers(group: &mut Value) -> impl Iterator<Item = &mut Value> {
    group.get_mut("hooks").and_then(Value::as_array_mut).into_iter().flatten()
}

/// Tells whether a handler runs a hook of carnet.
pub(super) fn is_ours(handler: &Value) -> bool {
    handler.get("command").and_then(Value::as_str).is_some_and(is_hook)
}

/// Takes our handlers out but for the first `kept`, and groups that are empty without them; tells whether any went.
fn take_handlers(groups: &mut Value, kept: usize) -> bool {
    let Some(groups) = groups.as_array_mut() else { return false };
    let (mut seen, mut went) = (0, false);
    groups.retain_mut(|group| {
        let Some(list) = group.get_mut("hooks").and_then(Value::as_array_mut) else { return true };
        let before = list.len();
        list.retain(|handler| {
            seen += usize::from(is_ours(handler));
            !is_ours(handler) || seen <= kept
        });
        went |= list.len() < before;
        !list.is_empty() || before == 0
    });
    went
}

fn is_empty(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty) || value.as_object().is_some_and(Map::is_empty)
}

fn remove(value: &mut Value, key: &str) {
    if let Some(object) = value.as_object_mut() {
        object.shift_remove(key);
    }
}

/// Removes what stands at `path` where `goes` says so, and the objects above it that are empty without it.
fn prune(value: &mut Value, path: &[&str], goes: impl FnOnce(&mut Value) -> bool) {
    let Some((key, rest)) = path.split_first() else { return };
    let Some(inner) = value.get_mut(key) else { return };
    let gone = if rest.is_empty() {
        goes(inner)
    } else {
        let before = inner.clone();
        prune(inner, rest, goes);
        *inner != before && is_empty(inner)
    };
    if gone {
        remove(value, key);
    }
}
