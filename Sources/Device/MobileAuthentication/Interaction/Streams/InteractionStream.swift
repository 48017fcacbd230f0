/// Asynchronous sequence of questions to the user: one loop in place of a class for each kind of question.
///
/// Give it to an operation with `interactions(_:)` and read it in one task.
///
/// The sequence goes on until ``finish()`` or until the task that reads it is canceled; from then on every question is
/// canceled at once. One task may read it.
///
/// ```swift
/// let questions = InteractionStream()
/// let operation = client.operations.authentication.username(name).interactions(questions)
/// let end = Task {
///     defer { questions.finish() }
///     return try await operation.perform()
/// }
/// for await step in questions {
///     switch step {
///     case .selectAuthenticator(let context, let handler): chooser.show(context, answering: handler)
///     case .verifyPin(let context, let handler): keypad.show(context, answering: handler)
///     default: break
///     }
/// }
/// let authorization = try await end.value
/// ```
public final class InteractionStream: Sendable {
    private let steps: AsyncStream<InteractionStep>
    private let continuation: AsyncStream<InteractionStep>.Continuation
    private let pins: MainActorBox<(any PinPolicy)?>
    private let passwords: MainActorBox<(any PasswordPolicy)?>

    /// Begins a sequence; nil for a policy means six digits for a PIN, eight characters for a password, and no common
    /// ones.
    public init(pinPolicy: (any PinPolicy)? = nil, passwordPolicy: (any PasswordPolicy)? = nil) {
        (steps, continuation) = AsyncStream.makeStream()
        pins = MainActorBox(pinPolicy)
        passwords = MainActorBox(passwordPolicy)
    }

    /// Ends the sequence; questions that come later are canceled.
    public func finish() { continuation.finish() }

    private func show(_ step: InteractionStep) { continuation.yield(step) }
}

extension InteractionStream: AsyncSequence {
    /// A question.
    public typealias Element = InteractionStep
    /// The sequence never fails.
    public typealias Failure = Never

    /// The questions, as they come.
    public nonisolated func makeAsyncIterator() -> AsyncStream<InteractionStep>.Iterator { steps.makeAsyncIterator() }
}

extension InteractionStream: ValidCredentialsObserver {
    /// Shows ``InteractionStep/credentialsAccepted``.
    public func onValidCredentialsProvided() { show(.credentialsAccepted) }
}

extension InteractionStream: AccountSelector, AuthenticatorSelector, ChannelLinker {
    /// Shows the question.
    public func linkChannel(context: any ChannelLinkingContext, handler: any ChannelLinkingHandler) {
        show(.linkChannel(context, handler))
    }

    /// Shows the question.
    public func selectAccount(context: any AccountSelectionContext, handler: any AccountSelectionHandler) {
        show(.selectAccount(context, handler))
    }

    /// Shows the question.
    public func selectAuthenticator(
        context: any AuthenticatorSelectionContext, handler: any AuthenticatorSelectionHandler
    ) {
        show(.selectAuthenticator(context, handler))
    }
}

extension InteractionStream: DeregistrationConfirmer {
    /// Shows the question.
    public func confirmDeregistration(
        context: any DeregistrationConfirmationContext, handler: any DeregistrationConfirmationHandler
    ) {
        show(.confirmDeregistration(context, handler))
    }
}

extension InteractionStream: PinEnroller, PinUserVerifier, PinChanger {
    /// The policy that the stream was made with.
    public func pinPolicy() -> any PinPolicy { pins.content ?? DefaultPinPolicy() }

    /// Shows the question.
    public func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler) {
        show(.enrollPin(context, handler))
    }

    /// Shows the question.
    public func verifyPin(context: any PinUserVerificationContext, handler: any PinUserVerificationHandler) {
        show(.verifyPin(context, handler))
    }

    /// Shows the question.
    public func changePin(context: any PinChangeContext, handler: any PinChangeHandler) {
        show(.changePin(context, handler))
    }
}

extension InteractionStream: PasswordEnroller, PasswordUserVerifier, PasswordChanger {
    /// The policy that the stream was made with.
    public func passwordPolicy() -> any PasswordPolicy { passwords.content ?? DefaultPasswordPolicy() }

    /// Shows the question.
    public func enrollPassword(context: any PasswordEnrollmentContext, handler: any PasswordEnrollmentHandler) {
        show(.enrollPassword(context, handler))
    }

    /// Shows the question.
    public func verifyPassword(
        context: any PasswordUserVerificationContext, handler: any PasswordUserVerificationHandler
    ) {
        show(.verifyPassword(context, handler))
    }

    /// Shows the question.
    public func changePassword(context: any PasswordChangeContext, handler: any PasswordChangeHandler) {
        show(.changePassword(context, handler))
    }
}

extension InteractionStream: BiometricUserVerifier, DevicePasscodeUserVerifier, FingerprintUserVerifier {
    /// Shows the question.
    public func verifyBiometric(
        context: any BiometricUserVerificationContext, handler: any BiometricUserVerificationHandler
    ) {
        show(.verifyBiometric(context, handler))
    }

    /// Shows the question.
    public func verifyDevicePasscode(
        context: any DevicePasscodeUserVerificationContext, handler: any DevicePasscodeUserVerificationHandler
    ) {
        show(.verifyDevicePasscode(context, handler))
    }

    /// Shows the question.
    public func verifyFingerprint(
        context: any FingerprintUserVerificationContext, handler: any FingerprintUserVerificationHandler
    ) {
        show(.verifyFingerprint(context, handler))
    }
}
