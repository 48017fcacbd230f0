// Operations that an application implements itself, in its tests for example, need not have what the closed SDK does not
// have: they cannot be canceled from outside, and `perform()` starts them and waits for one of their closures.

extension Operation {
    /// Does nothing.
    public func cancel() {}
}

extension Registration {
    /// Executes the operation and waits for its end.
    public func perform() async throws(OperationError) {
        try await end { (end: FirstEnd<Result<Void, OperationError>>) in
            onSuccess { end.tell(.success(())) }.onError { end.tell(.failure($0)) }
        }.get()
    }
}

extension AuthCloudApiRegistration {
    /// Executes the operation and waits for its end.
    public func perform() async throws(AuthCloudApiError) {
        try await end { (end: FirstEnd<Result<Void, AuthCloudApiError>>) in
            onSuccess { end.tell(.success(())) }.onError { end.tell(.failure($0)) }
        }.get()
    }
}

extension OutOfBandRegistration {
    /// Executes the operation and waits for its end.
    public func perform() async throws(OperationError) {
        try await end { (end: FirstEnd<Result<Void, OperationError>>) in
            onSuccess { end.tell(.success(())) }.onError { end.tell(.failure($0)) }
        }.get()
    }
}

extension Deregistration {
    /// Executes the operation and waits for its end.
    public func perform() async throws(OperationError) {
        try await end { (end: FirstEnd<Result<Void, OperationError>>) in
            onSuccess { end.tell(.success(())) }.onError { end.tell(.failure($0)) }
        }.get()
    }
}

extension PinChange {
    /// Executes the operation and waits for its end.
    public func perform() async throws(PinChangeError) {
        try await end { (end: FirstEnd<Result<Void, PinChangeError>>) in
            onSuccess { end.tell(.success(())) }.onError { end.tell(.failure($0)) }
        }.get()
    }
}

extension PasswordChange {
    /// Executes the operation and waits for its end.
    public func perform() async throws(PasswordChangeError) {
        try await end { (end: FirstEnd<Result<Void, PasswordChangeError>>) in
            onSuccess { end.tell(.success(())) }.onError { end.tell(.failure($0)) }
        }.get()
    }
}

extension DeviceInformationChange {
    /// Executes the operation and waits for its end.
    public func perform() async throws(DeviceInformationChangeError) {
        try await end { (end: FirstEnd<Result<Void, DeviceInformationChangeError>>) in
            onSuccess { end.tell(.success(())) }.onError { end.tell(.failure($0)) }
        }.get()
    }
}

extension AuthenticatingOperation {
    /// Executes the operation and waits for its end.
    public func perform() async throws(AuthenticationError) -> (any AuthorizationProvider)? {
        try await end { (end: FirstEnd<Result<(any AuthorizationProvider)?, AuthenticationError>>) in
            onSuccess { end.tell(.success($0)) }.onError { end.tell(.failure($0)) }
        }.get()
    }
}

extension OutOfBandOperation {
    /// Executes the operation and waits for what it hands over.
    public func perform() async throws(OutOfBandOperationError) -> OutOfBandStep {
        try await end { (end: FirstEnd<Result<OutOfBandStep, OutOfBandOperationError>>) in
            onRegistration { end.tell(.success(.registration($0))) }.onAuthentication {
                end.tell(.success(.authentication($0)))
            }
            .onDeregistration { end.tell(.success(.deregistration)) }.onError { end.tell(.failure($0)) }
        }.get()
    }

    /// Does nothing: an implementation that takes nothing back has nothing to tell.
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
        await end { end in onResult { end.tell($0) } }
    }
}

extension DeviceInformationSync {
    /// Executes the operation and waits for its result.
    public func perform() async -> DeviceInformationSyncResult {
        await end { end in onResult { end.tell($0) } }
    }
}

extension PendingOutOfBandOperations {
    /// Executes the operation and waits for its result.
    public func perform() async -> PendingOutOfBandOperationsResult {
        await end { end in onResult { end.tell($0) } }
    }
}

// MARK: - Waiting

extension Operation {
    /// Executes the operation once `attach` has given it its closures, and waits for the first of them.
    @MainActor
    fileprivate func end<Value: Sendable>(_ attach: @MainActor (FirstEnd<Value>) -> Void) async -> Value {
        let first = FirstEnd<Value>()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                first.waiting = continuation
                attach(first)
                execute()
            }
        } onCancel: {
            cancel()
        }
    }
}

/// The end of an operation; what is told after the first one is dropped.
@MainActor
private final class FirstEnd<Value: Sendable> {
    var waiting: CheckedContinuation<Value, Never>?

    func tell(_ value: Value) {
        waiting?.resume(returning: value)
        waiting = nil
    }
}
