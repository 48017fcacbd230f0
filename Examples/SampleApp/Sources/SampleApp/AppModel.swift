import MobileAuthentication

/// All that the screens show and all that the user can do. The screens know no SDK, and this knows no screen.
@MainActor
public final class AppModel {
    /// Users with a key on this device.
    public private(set) var accounts: [String] = [] { didSet { onChange() } }
    /// The question on the screen; nil while there is none.
    public private(set) var question: Question? { didSet { onChange() } }
    /// The last result, in words for the user.
    public private(set) var notice: String? { didSet { onChange() } }
    /// Whether an operation runs.
    public private(set) var isBusy = false { didSet { onChange() } }
    /// Called after every change.
    public var onChange: @MainActor () -> Void = {}

    private let client: any MobileAuthenticationClient
    private let push: any PushService
    private let deviceName: String

    public init(client: any MobileAuthenticationClient, push: any PushService, deviceName: String) {
        (self.client, self.push, self.deviceName) = (client, push, deviceName)
        accounts = client.localData.accounts.map(\.username)
    }

    // MARK: - What the user does

    /// Takes the text of a QR code: an invitation to register, or a request to confirm.
    public func scan(_ text: String) async {
        await run { try $0.base64UrlEncoded(text).perform() }
    }

    /// Takes the data of a push message.
    public func receive(push json: String) async {
        await run { try $0.json(json).perform() }
    }

    /// Asks the servers for requests whose push message was lost; call it when the app becomes active.
    public func lookForRequests() async {
        let pending = await client.operations.pendingOutOfBandOperations.perform()
        guard let newest = pending.operations.first else { return }
        await run { _ in newest.payload }
    }

    /// Asks for permission to show messages, and tells the servers the token of this device.
    public func switchPushOn() async {
        guard await push.askForPermission() else {
            notice = "Messages are off. Allow them in the settings, or scan codes."
            return
        }
        do {
            let token = try await push.token()
            try await client.operations.deviceInformationChange.fcmRegistrationToken(token).perform()
            notice = "Messages are on."
        } catch {
            notice = "Messages could not be switched on. \(advice(for: error))"
        }
    }

    /// Answers the question on the screen.
    public func answer(_ text: String) { close { $0.take(text) } }

    /// Cancels what runs.
    public func cancel() { close { $0.cancel() } }

    /// Cancels what runs, and tells the server that this user did not begin it.
    public func report() { close { $0.report() } }

    private func close(_ action: (Question) -> Void) {
        guard let open = question else { return }
        question = nil
        action(open)
    }

    // MARK: - Operations

    private func run(_ decode: (any OutOfBandPayloadDecode) throws -> OutOfBandPayload) async {
        guard !isBusy else { return }
        isBusy = true
        notice = nil
        let questions = InteractionStream()
        let reader = Task { [weak self] in
            for await step in questions { self?.show(step) }
        }
        do {
            let payload = try decode(client.operations.outOfBandPayloadDecode)
            notice = try await finish(payload, asking: questions)
        } catch {
            notice = advice(for: error)
        }
        questions.finish()
        await reader.value
        question = nil
        accounts = client.localData.accounts.map(\.username)
        isBusy = false
    }

    /// Runs the operation of a payload; returns what the user reads at its end.
    private func finish(_ payload: OutOfBandPayload, asking questions: InteractionStream) async throws -> String {
        switch try await client.operations.outOfBandOperation.payload(payload).interactions(questions).perform() {
        case .registration(let registration):
            try await registration.deviceInformation(DeviceInformation(name: deviceName)).interactions(questions)
                .perform()
            return "This device is registered."
        case .authentication(let authentication):
            _ = try await authentication.interactions(questions).perform()
            return "Confirmed."
        case .deregistration: return "The registrations were removed."
        @unknown default: return "Update this app to answer the request."
        }
    }

    private func show(_ step: InteractionStep) {
        if let asked = Question(step) { question = asked }
    }

    private func advice(for error: any Error) -> String {
        guard let known = error as? any MobileAuthenticationClientError else { return error.localizedDescription }
        if known.isUserCancellation { return "Canceled." }
        return [known.localizedDescription, known.recoverySuggestion].compactMap(\.self).joined(separator: " ")
    }
}
