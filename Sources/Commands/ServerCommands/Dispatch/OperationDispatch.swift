import BackendAPI
import CommandSupport
import Octets
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import UAF
import UAFService

/// Implementation of the `dispatch` commands: begins a ceremony, and follows it until it has ended.
struct OperationDispatch {
    let services: ServerServices
    let options: DispatchOptions
    /// The available dispatchers, in the order of the configuration.
    let configured: [DispatcherName]
    /// Options that select the same installation in other commands, each with a leading space.
    var location = ""

    static func perform(
        _ context: () throws -> some RequestContext, _ options: DispatchOptions, _ common: ServerOptions
    ) async throws {
        try await common.report {
            let context = try context()
            return try await open(common, options) { dispatch, _ in
                try await dispatch.outcome(of: context) { common.commandReport.announce($0) }
            }
        }
    }

    /// Opens the installation with the requested dispatcher for the duration of `body`.
    ///
    /// Throws a ``CommandFailure`` that lists the available dispatchers when it is none of them.
    static func open<Value>(
        _ common: ServerOptions, _ options: DispatchOptions,
        _ body: (OperationDispatch, Deployment) async throws -> Value
    ) async throws -> Value {
        let deployment = try common.file.deployment()
        let configured = deployment.uaf.dispatchers.map(\.name)
        let name = try options.dispatcher(among: configured)
        let dispatchers = try ConfiguredDispatchers.open(
            deployment.uaf.dispatchers.filter { name == nil || name == $0.name }, logger: ServerLog.quiet)
        let installation = try await ServerInstallation.open(
            deployment, origin: options.origin ?? deployment.origin, equipment: .init(dispatchers: dispatchers),
            logger: ServerLog.quiet, by: .command(AuditActor.ofProcess()))
        let value = try await body(
            OperationDispatch(
                services: installation.services, options: options, configured: configured, location: common.location),
            deployment)
        try installation.close()
        return value
    }

    /// Begins a ceremony; when the command waits for its end, `announce` reports beforehand what the user needs for
    /// it.
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
            dispatchTargetID: options.target, channelLinking: options.channelLinking)
        let begun = SystemWallClock().now()
        let answer = try await services.outOfBand.dispatch(
            request, for: operation, authorization: .administrator, client: ClientContext())
        guard let token = answer.token, let sessionID = answer.sessionID, let information = answer.dispatcherInformation
        else { throw CommandFailure(dispatchResult: answer.result, configured: configured) }
        return DispatchedOperation(
            operation: operation, token: Sensitive(token), sessionID: sessionID,
            expiresAt: begun + services.settings.outOfBand.tokenLifetime(operation), linking: answer.channelLinking,
            dispatcher: information.name, delivery: try delivery(information), location: location)
    }

    private func delivery(_ information: DispatcherInformation) throws -> DispatchedOperation.Delivery {
        guard information.name == .link || information.name.draws else { return .message(information.response) }
        let isLink = information.name == .link
        let code = ShownCode(text: information.codeText ?? information.response)
        // A picture that the dispatcher has made itself is preferred.
        if let file = options.pictureFile {
            if isLink {
                try code.write(to: file)
            } else {
                try PosixFiles().write(Base64.decode(information.response), to: file, mode: 0o600)
            }
        }
        let link = isLink || code.text.contains("://") ? code.text : nil
        return .code(
            code, link: link.map(Sensitive.init), picture: isLink ? nil : Sensitive(information.response),
            file: options.pictureFile)
    }
}

extension DispatchOptions {
    /// Origin under which phones reach the server, if the option is given.
    var origin: String? {
        server.map { url in url.hasSuffix("/") ? String(url.dropLast()) : url }
    }
}

extension CommandFailure {
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

    /// Failure of a ceremony that did not succeed within the wait; nil when it did.
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
