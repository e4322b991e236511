//! The server: one profile, one client.

use std::{
    borrow::Cow,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, DiscoverResult,
        Implementation, InitializeRequestParams, InitializeResult, ListResourceTemplatesResult,
        ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
        ReadResourceResponse, ReadResourceResult, ResourceContents, ServerCapabilities,
        ServerConfig,
    },
    service::RequestContext,
};
use serde_json::Value;

use super::{
    instructions::{GUIDANCE, Takes, taken_by},
    resources, tools,
};
use crate::{
    config::Environment,
    profile::{Options, Profile, SnapshotRequest},
    tool,
};

/// A server over one profile, which is opened when a client has said who it is.
#[derive(Clone, Debug)]
pub(super) struct Server {
    options: Arc<Options>,
    session: Option<String>,
    open: Arc<OnceLock<Result<Open, Value>>>,
    stop: Arc<AtomicBool>,
}

/// The profile, with what is frozen for the life of the server.
#[derive(Debug)]
struct Open {
    profile: Arc<Profile>,
    snapshot: String,
}

impl Server {
    pub(super) fn new(options: &Options, environment: &Environment) -> Self {
        let session = environment.session.clone().or_else(|| environment.client_session.clone());
        Self {
            options: Arc::new(options.clone()),
            session,
            open: Arc::default(),
            stop: Arc::default(),
        }
    }

    /// Ends what runs beside the calls.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns the profile, opened for `client` at the first call; an error is the refusal as every tool answers it.
    fn open(&self, client: &str) -> Result<&Open, &Value> {
        let open = || {
            let profile =
                Profile::open(&self.options, client).map_err(|error| tool::failure(&error))?;
            let request =
                SnapshotRequest { session: self.session.clone(), ..SnapshotRequest::default() };
            let snapshot = profile.snapshot(&request).map(|snapshot| snapshot.frozen.text);
            let profile = Arc::new(profile);
            self.follow(&profile);
            Ok(Open { profile, snapshot: snapshot.unwrap_or_default() })
        };
        self.open.get_or_init(open).as_ref()
    }

    /// Keeps the indexes up to date for as long as the server lives, unless another process does.
    fn follow(&self, profile: &Arc<Profile>) {
        let (profile, stop) = (Arc::clone(profile), Arc::clone(&self.stop));
        thread::spawn(move || {
            // Standard output belongs to the messages; `carnet doctor` tells what is wrong.
            let _ = profile.watch(&stop, false, &mut |_| {}, &mut |_| {});
        });
    }

    /// Returns the configuration with what the client `name` is told.
    fn told(&self, name: &str) -> ServerConfig {
        let mut info = self.get_info();
        let snapshot = match (taken_by(name), self.open(name)) {
            (Takes::Snapshot, Ok(open)) => open.snapshot.as_str(),
            _ => "",
        };
        info.instructions = Some(format!("{GUIDANCE}\n\n{snapshot}").trim_end().to_owned());
        info
    }

    /// Runs `work` on the profile, beside the messages.
    async fn with_profile(&self, work: impl FnOnce(&Open) -> Value + Send + 'static) -> Value {
        let server = self.clone();
        let done = tokio::task::spawn_blocking(move || match server.open("mcp") {
            Ok(open) => work(open),
            Err(refusal) => refusal.clone(),
        });
        // A panic in one call is an answer, and not the end of the server.
        done.await.unwrap_or_else(|error| {
            serde_json::json!({
                "success": false,
                "code": "read_failed",
                "error": format!("the call ended in a fault of carnet: {error}"),
                "hint": "go on without it, and report it",
            })
        })
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let mut info = ServerConfig::new(capabilities);
        info.server_info = Implementation::new("carnet", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(GUIDANCE.to_owned());
        info
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut info = self.negotiate_initialize(&request)?;
        info.instructions = self.told(&request.client_info.name).instructions;
        Ok(info)
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions();
        Ok(DiscoverResult::from_server_info(Cow::into_owned(versions), self.told("mcp")))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(named) = tools::Named::find(&request.name) else {
            let what = format!("there is no tool `{}`", request.name);
            return Err(ErrorData::invalid_params(what, None));
        };
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let answer = self.with_profile(move |open| named.call(&open.profile, &arguments)).await;
        let refused = answer.get("success") != Some(&Value::Bool(true));
        let mut result = CallToolResult::success(vec![ContentBlock::text(answer.to_string())]);
        result.structured_content = Some(answer);
        result.is_error = Some(refused);
        Ok(CallToolResponse::Complete(result))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::all()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let missing = || {
            let what = format!("there is no resource `{}`", request.uri);
            ErrorData::resource_not_found(what, None)
        };
        let named = resources::Named::find(&request.uri).ok_or_else(missing)?;
        let read = self
            .with_profile(move |open| match named.read(&open.profile, &open.snapshot) {
                Ok(text) => Value::String(text),
                Err(error) => tool::failure(&error),
            })
            .await;
        match read {
            Value::String(text) => {
                let contents =
                    ResourceContents::text(text, &request.uri).with_mime_type("text/markdown");
                Ok(ReadResourceResult::new(vec![contents]).into())
            }
            refusal => Err(ErrorData::resource_not_found(
                format!("`{}` cannot be read", request.uri),
                Some(refusal),
            )),
        }
    }
}
