import ArgumentParser
import BackendAPI
import CommandSupport
import Octets
import ServerAdministration
import ServerCore
import StrictJSON
import UAF

/// Command that sends an operation to a phone.
protocol DispatchingCommand: AsyncParsableCommand {
    var kind: OperationKind { get }
    var dispatch: DispatchOptions { get }
    var manner: Changing { get }
    var place: AdministrationPlace { get }
    var options: ServerOptions { get }

    /// Members of the request that say what it is about.
    func members() throws -> JSONObject
}

extension DispatchingCommand {
    func run() async throws {
        let report = options.commandReport
        try await report.run {
            try await place.ask(options) { try await outcome(on: $0) { report.announce($0) } }
        }
    }

    func outcome(
        on server: some AdministrationConnection, announce: (CommandReport.Outcome) -> Void
    ) async throws -> CommandReport.Outcome {
        try await OperationDispatch(
            server: server, options: dispatch, reason: manner.why, location: options.location
        ).outcome(of: kind, try members(), announce: announce)
    }
}

/// Implementation of the `dispatch` commands: begins an operation, and follows it until it has ended.
struct OperationDispatch<Server: AdministrationConnection> {
    let server: Server
    let options: DispatchOptions
    let reason: String
    /// Options that select the same installation in other commands, each with a leading space.
    let location: String

    /// Begins an operation; when the command waits for its end, `announce` reports beforehand what the user needs for it.
    func outcome(
        of kind: OperationKind, _ members: JSONObject, announce: (CommandReport.Outcome) -> Void
    ) async throws -> CommandReport.Outcome {
        let begun = try await begin(kind, members)
        guard let wait = options.wait else { return begun.outcome }
        announce(begun.outcome)
        let status = try await server.status(of: begun.sessionID, atMost: .seconds(wait))
        if let failure = CommandFailure(endingOf: status, waited: wait) { throw failure }
        return begun.outcome(endedBy: status)
    }

    func begin(_ kind: OperationKind, _ members: JSONObject) async throws -> DispatchedOperation {
        let all = [JSONObject.Member("kind", .string(kind.pathName))] + members.members + options.members.members
        var request = AdministrationRequest(.dispatch, members: JSONObject(distinct: all))
        try request.say(why: reason)
        let reply = try await server.answer(to: request)
        guard let answer = try reply.values.first?.asObject(), let token = answer.text("token"),
            let sessionID = answer.text("operation"), let dispatcher = answer.text("dispatcher")
        else { throw CommandFailure.foreignAnswer(server.name) }
        let name = DispatcherName(rawValue: dispatcher)
        let linking = ChannelLinkingMethod(rawValue: answer.text("linking") ?? "") ?? .none
        return DispatchedOperation(
            operation: kind, token: Sensitive(token), sessionID: ForeignText.name(sessionID),
            expiresAt: reply.member("expiresAt"), origin: reply.member("origin"),
            linking: answer.text("digits").map { ShownChannelLinking(mode: linking, digits: $0) }, dispatcher: name,
            delivery: try delivery(name, answer.text("response") ?? "", answer.text("code")), location: location)
    }

    private func delivery(
        _ name: DispatcherName, _ response: String, _ codeText: String?
    ) throws -> DispatchedOperation.Delivery {
        guard name == .link || name.draws else { return .message(response) }
        let isLink = name == .link
        let code = ShownCode(text: codeText ?? response)
        // A picture that the dispatcher has made itself is preferred.
        if let file = options.pictureFile {
            if isLink {
                try code.write(to: file)
            } else {
                try PosixFiles().write(Base64.decode(response), to: file, mode: 0o600)
            }
        }
        let link = isLink || code.text.contains("://") ? code.text : nil
        return .code(
            code, link: link.map { Sensitive($0) }, picture: isLink ? nil : Sensitive(response),
            file: options.pictureFile)
    }
}

extension AdministrationConnection {
    /// The status of an operation: at once, or when it has ended, at the latest after `wait`.
    func status(of session: String, atMost wait: Duration) async throws -> SessionStatus {
        let end = ContinuousClock.now + wait
        while true {
            let status = try SessionStatus(body: try await answer(to: .init(.operation, session)).body)
            guard !status.status.isFinal, ContinuousClock.now < end else { return status }
            try await Task.sleep(for: .milliseconds(500))
        }
    }
}

extension CommandFailure {
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
