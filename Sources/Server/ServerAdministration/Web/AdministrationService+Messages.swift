package import OpenID
import ServerCore
package import StrictJSON
import UAFService

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

    func message(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let id = try call.messageID()
        let message = try await read { snapshot throws(ServerTransactionFailure) in try snapshot.message(id) }
        guard let message else { throw .unknown }
        return AdministrationAnswer(message.members, version: message.version)
    }

    func retryMessage(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try await onMessage(call, OutgoingAdministration.retry)
    }

    func dropMessage(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try await onMessage(call, OutgoingAdministration.drop)
    }

    /// Changes the message of the path, which is held and is the one that the administrator has seen.
    private func onMessage(
        _ call: AdministrationCall, _ change: @escaping OutgoingAdministration.Change
    ) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let (id, time) = (try call.messageID(), services.ports.clock.now())
        return try await transaction { transaction throws(ServerTransactionFailure) in
            guard let known = try transaction.message(id) else { return .failure(.unknown) }
            guard call.version == known.version else { return .failure(.changed(known.version)) }
            return try change(known, time, transaction) ? .success(.done) : .failure(.unknown)
        }
    }
}

extension AdministrationCall {
    fileprivate func messageID() throws(AdministrationRefusal) -> OutgoingMessageID {
        guard let id = object.flatMap({ OutgoingMessageID(text: $0) }) else { throw .unknown }
        return id
    }
}

extension OutgoingMessage {
    /// Message without its content.
    package var json: JSONValue { .object(members) }

    fileprivate var version: ObjectVersion { ObjectVersion(of: json) }

    fileprivate var members: JSONObject {
        [
            "id": .string(id.text), "kind": .string(kind.rawValue),
            "destination": .string(destination), "state": .string(state.rawValue),
            "attempts": .integer(attempts), "lastFailure": lastFailure.map { .string($0) },
            "createdAt": .string(createdAt.iso8601),
            "nextAttemptAt": state == .waiting ? .string(nextAttemptAt.iso8601) : nil,
        ]
    }
}
