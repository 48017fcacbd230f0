package import OpenID
import ServerCore
package import StrictJSON

/// Messages to other systems that wait, or were given up.
extension AdministrationService {
    private var outgoing: OutgoingAdministration { OutgoingAdministration(server) }

    func listMessages(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try call.requireQuery(of: ["state", "limit"])
        guard let state = OutgoingMessage.State(rawValue: call.query["state"] ?? OutgoingMessage.State.waiting.rawValue)
        else { throw .malformed(["state"]) }
        let limit = try call.limit()
        let messages = try await passing { () async throws(ServerError) in
            try await outgoing.messages(state, limit: limit)
        }
        return AdministrationAnswer(["messages": .array(messages.map(\.json))])
    }

    func retryMessage(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try await onMessage(call) { id async throws(ServerError) in try await outgoing.retry(id) }
    }

    func dropMessage(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try await onMessage(call) { id async throws(ServerError) in try await outgoing.drop(id) }
    }

    private func onMessage(
        _ call: AdministrationCall, _ change: (OutgoingMessageID) async throws(ServerError) -> Bool
    ) async throws(AdministrationRefusal) -> AdministrationAnswer {
        guard let id = call.object.flatMap({ OutgoingMessageID(text: $0) }) else { throw .unknown }
        let isDone = try await passing { () async throws(ServerError) in try await change(id) }
        guard isDone else { throw .unknown }
        return .done
    }
}

extension OutgoingMessage {
    /// Message without its content.
    package var json: JSONValue {
        .object([
            "id": .string(id.text), "kind": .string(kind.rawValue),
            "destination": .string(destination), "state": .string(state.rawValue),
            "attempts": .integer(attempts), "lastFailure": lastFailure.map { .string($0) },
            "createdAt": .string(createdAt.iso8601),
            "nextAttemptAt": state == .waiting ? .string(nextAttemptAt.iso8601) : nil,
        ])
    }
}
