import BackendAPI
import Octets
import ServerConfiguration
import ServerCore
import UAF

/// Begins operations for the person at the command line, and follows them to their end.
struct DispatchDesk {
    let services: ServerServices
    let options: DispatchOptions

    /// Opens the installation with the dispatchers that are asked for, begins the operation and reports on it.
    static func perform(
        _ context: () throws -> some RequestContext, _ options: DispatchOptions, _ common: ServerOptions
    ) async throws {
        try await common.report {
            let context = try context()
            let deployment = try common.file.deployment()
            let chosen = deployment.uaf.dispatchers.filter {
                options.dispatcher == nil || options.dispatcher == $0.name
            }
            let dispatchers = try ConfiguredDispatchers.open(
                chosen, clock: SystemWallClock(), random: SystemRandomSource(), logger: ServerLog.quiet)
            let installation = try await ServerInstallation.open(
                deployment, origin: options.origin ?? deployment.origin, dispatchers: dispatchers,
                logger: ServerLog.quiet, actor: AuditActor.ofProcess())
            let desk = DispatchDesk(services: installation.services, options: options)
            let outcome = try await desk.outcome(of: context) { common.commandReport.announce($0) }
            try installation.close()
            return outcome
        }
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
            GetUAFRequest(context), dispatcher: options.dispatcher, dispatchTargetID: options.target,
            dispatchInformation: options.information, channelLinking: options.channelLinking)
        let begun = SystemWallClock().now()
        let answer = try await services.outOfBand.dispatch(
            request, for: operation, authorization: .administrator, client: ClientContext())
        guard let token = answer.token, let sessionID = answer.sessionID, let information = answer.dispatcherInformation
        else { throw CommandFailure(dispatchResult: answer.result) }
        return DispatchedOperation(
            operation: operation, token: token, sessionID: sessionID,
            expiresAt: begun + services.settings.outOfBand.tokenLifetime(operation), linking: answer.channelLinking,
            dispatcher: information.name, delivery: try delivery(information))
    }

    /// What the dispatcher made; a picture goes into the file that was asked for.
    private func delivery(_ information: DispatcherInformation) throws -> DispatchedOperation.Delivery {
        if information.name == .link { return .link(information.response) }
        guard information.name.draws else { return .message(information.response) }
        guard let file = options.pictureFile else { return .picture(base64: information.response) }
        try PosixFiles().write(Base64.decode(information.response), to: file, mode: 0o600)
        return .file(file)
    }
}

extension DispatchOptions {
    /// Where phones reach the server, if that was said.
    fileprivate var origin: String? {
        server.map { url in url.hasSuffix("/") ? String(url.dropLast()) : url }
    }
}
