import HardwareKeys

// Operations that an application implements itself, in its tests for example, need not have what the closed SDK does not
// have: they cannot be canceled from outside, and `perform()` starts them and waits for one of their closures.

extension Operation {
    /// Does nothing.
    public func cancel() {}
}

extension Registration {
    /// Executes the operation and waits for its end.
    public func perform() async throws(OperationError) {
        try await end { (end: OneShot<Result<Void, OperationError>>) in
            onSuccess { end.fill(.success(())) }.onError { end.fill(.failure($0)) }
        }.get()
    }
}

extension AuthCloudApiRegistration {
    /// Executes the operation and waits for its end.
    public func perform() async throws(AuthCloudApiError) {
        try await end { (end: OneShot<Result<Void, AuthCloudApiError>>) in
            onSuccess { end.fill(.success(())) }.onError { end.fill(.failure($0)) }
        }.get()
    }
}

extension OutOfBandRegistration {
    /// Executes the operation and waits for its end.
    public func perform() async throws(OperationError) {
        try await end { (end: OneShot<Result<Void, OperationError>>) in
            onSuccess { end.fill(.success(())) }.onError { end.fill(.failure($0)) }
        }.get()
    }
}

extension Deregistration {
    /// Executes the operation and waits for its end.
    public func perform() async throws(OperationError) {
        try await end { (end: OneShot<Result<Void, OperationError>>) in
            onSuccess { end.fill(.success(())) }.onError { end.fill(.failure($0)) }
        }.get()
    }
}

extension PinChange {
    /// Executes the operation and waits for its end.
    public func perform() async throws(PinChangeError) {
        try await end { (end: OneShot<Result<Void, PinChangeError>>) in
            onSuccess { end.fill(.success(())) }.onError { end.fill(.failure($0)) }
        }.get()
    }
}

extension PasswordChange {
    /// Executes the operation and waits for its end.
    public func perform() async throws(PasswordChangeError) {
        try await end { (end: OneShot<Result<Void, PasswordChangeError>>) in
            onSuccess { end.fill(.success(())) }.onError { end.fill(.failure($0)) }
        }.get()
    }
}

extension DeviceInformationChange {
    /// Executes the operation and waits for its end.
    public func perform() async throws(DeviceInformationChangeError) {
        try await end { (end: OneShot<Result<Void, DeviceInformationChangeError>>) in
            onSuccess { end.fill(.success(())) }.onError { end.fill(.failure($0)) }
        }.get()
    }
}

extension AuthenticatingOperation {
    /// Executes the operation and waits for its end.
    public func perform() async throws(AuthenticationError) -> (any AuthorizationProvider)? {
        try await end { (end: OneShot<Result<(any AuthorizationProvider)?, AuthenticationError>>) in
            onSuccess { end.fill(.success($0)) }.onError { end.fill(.failure($0)) }
        }.get()
    }
}

extension OutOfBandOperation {
    /// Executes the operation and waits for what it hands over.
    public func perform() async throws(OutOfBandOperationError) -> OutOfBandStep {
        try await end { (end: OneShot<Result<OutOfBandStep, OutOfBandOperationError>>) in
            onRegistration { end.fill(.success(.registration($0))) }.onAuthentication {
                end.fill(.success(.authentication($0)))
            }
            .onDeregistration { end.fill(.success(.deregistration)) }.onError { end.fill(.failure($0)) }
        }.get()
    }

    /// Does nothing: an implementation without deregistration has nothing to report.
    @discardableResult @preconcurrency
    public func onDeregistration(_ handler: @escaping @MainActor () -> Void) -> Self { self }
}

extension OutOfBandAuthentication {
    /// Does nothing: an implementation without digits asks for none.
    @discardableResult
    public func channelLinker(_ channelLinker: any ChannelLinker) -> Self { self }
}

extension OutOfBandPayloadDecode {
    /// Throws `Unknown`: an implementation that ends by closures cannot answer at once.
    public func perform() throws(OutOfBandPayloadError) -> OutOfBandPayload { throw .Unknown(cause: nil) }
}

extension DeviceInformationCheck {
    /// Executes the operation and waits for its result.
    public func perform() async -> DeviceInformationCheckResult {
        await end { end in onResult { end.fill($0) } }
    }
}

extension DeviceInformationSync {
    /// Executes the operation and waits for its result.
    public func perform() async -> DeviceInformationSyncResult {
        await end { end in onResult { end.fill($0) } }
    }
}

extension PendingOutOfBandOperations {
    /// Executes the operation and waits for its result.
    public func perform() async -> PendingOutOfBandOperationsResult {
        await end { end in onResult { end.fill($0) } }
    }
}

// MARK: - Waiting

extension Operation {
    /// Executes the operation once `attach` has given it its closures, and waits for the first of them.
    @MainActor
    fileprivate func end<Value: Sendable>(_ attach: @MainActor (OneShot<Value>) -> Void) async -> Value {
        let first = OneShot<Value>()
        attach(first)
        return await withTaskCancellationHandler {
            execute()
            return await first.value()
        } onCancel: {
            cancel()
        }
    }
}
