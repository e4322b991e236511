//! The server: one profile, one client.

use std::{
    borrow::Cow,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, DiscoverResult,
        GetPromptRequestParams, GetPromptResponse, Implementation, InitializeRequestParams,
        InitializeResult, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
        ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
        ReadResourceResult, ResourceContents, ServerCapabilities, ServerConfig,
        SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
    },
    service::{RequestContext, SubscriptionContext},
};
use serde_json::Value;

use super::{
    input::Progress,
    instructions::{GUIDANCE, instructions, shows_snapshot},
    prompts, resources, tools,
    updates::{LOOKED, Subscriptions, Watched},
};
use crate::{
    config::{Environment, Language},
    profile::{FileState, Options, Profile, SnapshotRequest},
    tool,
};

/// How long after a failure to keep the indexes it is tried again; taking their lock waits too.
const TRIED_AGAIN: Duration = Duration::from_secs(1);

/// A server over one profile, which is opened when a client has said who it is.
#[derive(Clone, Debug)]
pub(super) struct Server {
    options: Arc<Options>,
    session: Option<String>,
    open: Arc<OnceLock<Open>>,
    /// Held while the profile is being opened, which one call does.
    opening: Arc<Mutex<()>>,
    stop: Arc<AtomicBool>,
    subscriptions: Subscriptions,
    progress: Progress,
    /// How many calls are under way.
    calls: Arc<AtomicUsize>,
}

/// A call under way.
struct Call(Arc<AtomicUsize>);

impl Call {
    fn begin(calls: &Arc<AtomicUsize>) -> Self {
        calls.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(calls))
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The profile, with what is frozen for the life of the server.
#[derive(Debug)]
struct Open {
    profile: Arc<Profile>,
    snapshot: String,
    /// What had been erased by then.
    erased: Option<FileState>,
}

impl Open {
    /// Returns the snapshot, frozen for the life of the server, unless something of it may have been erased since.
    fn snapshot(&self) -> String {
        if self.profile.erased_state() == self.erased {
            return self.snapshot.clone();
        }
        let fresh = self.profile.snapshot(&SnapshotRequest::default());
        fresh.map_or_else(|_| String::new(), |snapshot| snapshot.frozen.text)
    }
}

impl Server {
    pub(super) fn new(options: &Options, environment: &Environment) -> Self {
        let session = environment.session.clone().or_else(|| environment.client_session.clone());
        Self {
            options: Arc::new(options.clone()),
            session,
            open: Arc::default(),
            opening: Arc::default(),
            stop: Arc::default(),
            subscriptions: Subscriptions::default(),
            progress: Progress::new(),
            calls: Arc::default(),
        }
    }

    /// Returns how far standard input was read.
    pub(super) fn progress(&self) -> Progress {
        self.progress.clone()
    }

    /// Returns whether a call is under way.
    pub(super) fn is_busy(&self) -> bool {
        self.calls.load(Ordering::Acquire) > 0
    }

    /// Ends what runs beside the calls, and waits for those that are under way, `patience` at most.
    pub(super) fn stop(&self, patience: Duration) {
        self.stop.store(true, Ordering::Relaxed);
        let deadline = Instant::now() + patience;
        while self.is_busy() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Returns the profile, opened for `client` at the first call; an error is the refusal as every tool answers it, and the
    /// next call tries again.
    fn open(&self, client: &str) -> Result<&Open, Value> {
        let _one = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = self.open.get() {
            return Ok(open);
        }
        let profile =
            Profile::open(&self.options, client).map_err(|error| tool::failure(&error))?;
        let request =
            SnapshotRequest { session: self.session.clone(), ..SnapshotRequest::default() };
        let frozen = profile.snapshot(&request).ok().map(|snapshot| snapshot.frozen);
        if let Some(frozen) = frozen.as_ref().filter(|_| shows_snapshot(client)) {
            profile.tell(&frozen.digest);
        }
        let snapshot = frozen.map_or_else(String::new, |frozen| frozen.text);
        let profile = Arc::new(profile);
        self.follow(&profile);
        let erased = profile.erased_state();
        Ok(self.open.get_or_init(|| Open { profile, snapshot, erased }))
    }

    /// Keeps the indexes up to date for as long as the server lives, unless another process does.
    fn follow(&self, profile: &Arc<Profile>) {
        let (profile, stop) = (Arc::clone(profile), Arc::clone(&self.stop));
        thread::spawn(move || {
            // Standard output belongs to the messages; `carnet doctor` tells what is wrong. Where another process keeps the
            // indexes it may end before this one does, so the lock is tried again.
            while !stop.load(Ordering::Relaxed) {
                profile.maintain_daily();
                let _ = profile.watch(&stop, false, &mut |_| {}, &mut |_| {});
                thread::park_timeout(TRIED_AGAIN);
            }
        });
    }

    /// Returns the profile, opened for the client that asks.
    fn opened(&self, context: &RequestContext<RoleServer>) -> Result<&Open, Value> {
        self.open(&name_of(context))
    }

    /// Returns the configuration with what the client `name` is told.
    fn told(&self, name: &str) -> ServerConfig {
        let mut info = self.get_info();
        let open = self.open(name);
        let snapshot = open.as_ref().map_or("", |open| open.snapshot.as_str());
        info.instructions = Some(instructions(name, snapshot));
        info
    }

    /// Runs `work` on the profile, beside the messages.
    async fn with_profile(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce(&Open) -> Value + Send + 'static,
    ) -> Value {
        let (server, name, call) = (self.clone(), name_of(context), Call::begin(&self.calls));
        let done = tokio::task::spawn_blocking(move || {
            let _under_way = call;
            match server.open(&name) {
                Ok(open) => work(open),
                Err(refusal) => refusal,
            }
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

/// Returns what the client calls itself.
fn name_of(context: &RequestContext<RoleServer>) -> String {
    context.client_info().map_or_else(|| "mcp".to_owned(), |client| client.name)
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .enable_resources_subscribe()
            .build();
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

    async fn discover(
        &self,
        context: RequestContext<RoleServer>,
    ) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions();
        let told = self.told(&name_of(&context));
        Ok(DiscoverResult::from_server_info(Cow::into_owned(versions), told))
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
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(named) = tools::Named::find(&request.name) else {
            let what = format!("there is no tool `{}`", request.name);
            return Err(ErrorData::invalid_params(what, None));
        };
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let answer =
            self.with_profile(&context, move |open| named.call(&open.profile, &arguments)).await;
        let refused = answer.get("success") != Some(&Value::Bool(true));
        let mut result = CallToolResult::success(vec![ContentBlock::text(answer.to_string())]);
        result.structured_content = Some(answer);
        result.is_error = Some(refused);
        Ok(CallToolResponse::Complete(result))
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::all()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let opened = self.opened(&context);
        let language =
            opened.map_or_else(|_| Language::default(), |open| open.profile.config().language);
        let missing = || {
            let what = format!("there is no prompt `{}`", request.name);
            ErrorData::invalid_params(what, None)
        };
        prompts::get(&request.name, language).map(GetPromptResponse::Complete).ok_or_else(missing)
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let refused = |data: Option<Value>| {
            ErrorData::resource_not_found(format!("there is no resource `{}`", request.uri), data)
        };
        let open = self.opened(&context).map_err(|refusal| refused(Some(refusal)))?;
        let known = self.subscriptions.add(&request.uri, &open.profile, context.peer);
        if known { Ok(()) } else { Err(refused(None)) }
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscriptions.remove(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let uris = requested.resource_subscriptions.iter().flatten();
        let known: Vec<_> =
            uris.filter(|uri| resources::Named::find(uri).is_some()).cloned().collect();
        Some(SubscriptionFilter::builder().resource_subscriptions(known).build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let Ok(open) = self.opened(context.request_context()) else { return Ok(()) };
        let mut watched = Watched::default();
        for uri in context.accepted().resource_subscriptions.iter().flatten() {
            watched.add(uri, &open.profile);
        }
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                () = self.progress.ended() => return Ok(()),
                () = tokio::time::sleep(LOOKED) => {}
            }
            for uri in watched.changed(&open.profile) {
                if context.sink().notify_resource_updated(uri).await.is_err() {
                    return Ok(());
                }
            }
        }
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
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let missing = || {
            let what = format!("there is no resource `{}`", request.uri);
            ErrorData::resource_not_found(what, None)
        };
        let named = resources::Named::find(&request.uri).ok_or_else(missing)?;
        let read = self
            .with_profile(&context, move |open| match named.read(&open.profile, &open.snapshot()) {
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
