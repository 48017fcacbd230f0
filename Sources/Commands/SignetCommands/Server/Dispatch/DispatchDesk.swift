import BackendAPI
import Octets
import ServerConfiguration
import ServerCore
import UAF

/// Begins operations for the person at the command line, and follows them to their end.
struct DispatchDesk {
    let services: ServerServices
    let options: DispatchOptions
    /// The dispatchers that there are, in the order of the configuration.
    let configured: [DispatcherName]
    /// The options that lead other commands to the same installation, each word behind a blank.
    var location = ""

    /// Opens the installation with the dispatchers that are asked for, begins the operation and reports on it.
    static func perform(
        _ context: () throws -> some RequestContext, _ options: DispatchOptions, _ common: ServerOptions
    ) async throws {
        try await common.report {
            let context = try context()
            return try await open(common, options) { desk, _ in
                try await desk.outcome(of: context) { common.commandReport.announce($0) }
            }
        }
    }

    /// Opens the installation with the dispatcher that is asked for and lends a desk to `body`.
    ///
    /// Throws a ``CommandFailure`` that names the dispatchers that there are when it is none of them.
    static func open<Value>(
        _ common: ServerOptions, _ options: DispatchOptions, _ body: (DispatchDesk, Deployment) async throws -> Value
    ) async throws -> Value {
        let deployment = try common.file.deployment()
        let configured = deployment.uaf.dispatchers.map(\.name)
        let name = try options.dispatcher(among: configured)
        let dispatchers = try ConfiguredDispatchers.open(
            deployment.uaf.dispatchers.filter { name == nil || name == $0.name }, clock: SystemWallClock(),
            random: SystemRandomSource(), logger: ServerLog.quiet)
        let installation = try await ServerInstallation.open(
            deployment, origin: options.origin ?? deployment.origin, dispatchers: dispatchers,
            logger: ServerLog.quiet, actor: AuditActor.ofProcess())
        let value = try await body(
            DispatchDesk(
                services: installation.services, options: options, configured: configured, location: common.location),
            deployment)
        try installation.close()
        return value
    }

    /// Begins an operation; when its end is waited for, `announce` gets what the person needs before that.
    func outcome<Context: RequestContext>(
        of context: Context, announce: (CommandReport.Outcome) -> Void
    ) async throws -> CommandReport.Outcome {
        let dispatched = try await dispatch(context)
        guard let wait = options.wait else { return dispatched.outcome }
        announce(dispatched.outcome)
        let status = try await services.status.status(
            ofSessionOrToken: dispatched.sessionID, untilEndedFor: .seconds(wait))
        if let failure = CommandFailure(endingOf: status, waited: wait) { throw failure }
        return dispatched.outcome(endedBy: status)
    }

    private func dispatch<Context: RequestContext>(_ context: Context) async throws -> DispatchedOperation {
        let operation = Context.operation
        let request = DispatchRequest(
            GetUAFRequest(context), dispatcher: try options.dispatcher(among: configured),
            dispatchTargetID: options.target,
            dispatchInformation: options.information, channelLinking: options.channelLinking)
        let begun = SystemWallClock().now()
        let answer = try await services.outOfBand.dispatch(
            request, for: operation, authorization: .administrator, client: ClientContext())
        guard let token = answer.token, let sessionID = answer.sessionID, let information = answer.dispatcherInformation
        else { throw CommandFailure(dispatchResult: answer.result, configured: configured) }
        return DispatchedOperation(
            operation: operation, token: token, sessionID: sessionID,
            expiresAt: begun + services.settings.outOfBand.tokenLifetime(operation), linking: answer.channelLinking,
            dispatcher: information.name, delivery: try delivery(information), location: location)
    }

    /// What the dispatcher made; a picture goes into the file that was asked for.
    private func delivery(_ information: DispatcherInformation) throws -> DispatchedOperation.Delivery {
        guard information.name == .link || information.name.draws else { return .message(information.response) }
        let isLink = information.name == .link
        let code = try isLink ? ShownCode(text: information.response) : ShownCode(picture: information.response)
        // The picture is the dispatcher's own where it has made one.
        if let file = options.pictureFile {
            if isLink {
                try code.write(to: file)
            } else {
                try PosixFiles().write(Base64.decode(information.response), to: file, mode: 0o600)
            }
        }
        let link = isLink || code.text.contains("://") ? code.text : nil
        return .code(
            code, link: link, picture: isLink ? nil : information.response, file: options.pictureFile)
    }
}

extension DispatchOptions {
    /// Where phones reach the server, if that was said.
    var origin: String? {
        server.map { url in url.hasSuffix("/") ? String(url.dropLast()) : url }
    }
}

extension CommandFailure {
    /// Why nothing was dispatched; `configured` are the dispatchers that there are.
    init(dispatchResult result: DispatchResult, configured: [DispatcherName]) {
        let message =
            switch result {
            case .dispatchError: "the dispatcher did not take it, or the target lacks what it needs"
            case .dispatchTargetExpired: "the phone has no push destination that the push service knows"
            case .dispatchTargetNotFound: "there is no such dispatch target, or it is another user's"
            case .dispatcherNotFound: Self.dispatcherAdvice(configured)
            case .userNotFound: "there is no such user"
            default: "nothing was dispatched: \(result.rawValue)"
            }
        self = .refused(result.rawValue, message)
    }

    private static func dispatcherAdvice(_ configured: [DispatcherName]) -> String {
        let names = configured.map(\.rawValue).joined(separator: ", ")
        return names.isEmpty
            ? "no dispatcher is configured: add one under fido-uaf.dispatchers, for example { type: png-qr-code }"
            : "no such dispatcher is configured; choose one of these with --dispatcher: \(names)"
    }

    /// Why an operation whose end was waited for did not succeed; nil when it did.
    init?(endingOf status: SessionStatus, waited seconds: Int) {
        switch status.status {
        case .succeeded: return nil
        case .failed, .unknown: self = .refused("operationFailed", "it did not succeed: \(status.sentence)")
        default:
            self = .refused("operationPending", "it has not ended within \(seconds) s: \(status.sentence)")
            isRetryable = true
        }
        uafStatus = (status.outcome.uafStatus?.rawValue).map { Int($0) }
    }
}
