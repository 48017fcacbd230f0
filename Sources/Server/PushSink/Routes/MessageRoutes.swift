import HTTPTypes
import Hummingbird
import Logging
import Octets
import ServerHTTP
import StrictJSON

/// The message service (Firebase Cloud Messaging, HTTP v1).
struct MessageRoutes: Sendable {
    let state: SinkState
    let projectID: String
    let logger: Logger

    func add(to router: Router<BackendRequestContext>) {
        router.post("/v1/projects/{project}/messages:send") { request, context in
            await answer(to: request, project: context.parameters.get("project"))
        }
    }

    private func answer(to request: Request, project: String?) async -> Response {
        guard let field = request.headers[.authorization], field.hasPrefix("Bearer "),
            await state.takes(String(field.dropFirst("Bearer ".count)))
        else { return Self.unauthenticated }
        guard project == projectID else {
            return SinkAnswer.refusal(
                .forbidden, "PERMISSION_DENIED", "Permission denied on resource project.", errorCode: nil)
        }
        guard let json = await request.json() else { return Self.invalid("Invalid JSON payload received.") }
        do throws(JSONTypeError) {
            return await answer(to: try SinkMessage(json: json))
        } catch {
            return Self.invalid("Invalid value at '\(error.path.joined(separator: "."))'.")
        }
    }

    private func answer(to message: SinkMessage) async -> Response {
        let behaviour = await state.nextBehaviour(for: message.registrationToken.reveal())
        switch behaviour?.answer {
        case .unregistered: return Self.unregistered
        case .unavailable: return Self.unavailable(retryAfterSeconds: behaviour?.retryAfterSeconds)
        case .refused: return Self.invalid("The sink was told to refuse.")
        case .unauthorized:
            await state.revokeAccessTokens()
            return Self.unauthenticated
        case .slow: try? await Task.sleep(for: behaviour?.delay ?? .zero)
        case nil, .normal: break
        }
        guard let sighting = await state.receive(message) else { return Self.unregistered }
        guard !message.isDryRun else {
            return SinkAnswer.json(["name": .string("projects/\(projectID)/messages/fake_message_id")])
        }
        report(sighting)
        return SinkAnswer.json(["name": .string(sighting.name)])
    }

    /// One line for each message: what a push service can see, and how much it cannot.
    private func report(_ sighting: Sighting) {
        var fields: Logger.Metadata = [:]
        // The target is the registration token of the phone: it lets its holder send to the phone.
        for member in sighting.json.members where !["time", "target"].contains(member.name) {
            if case .string(let text) = member.value {
                fields[member.name] = "\(text)"
            } else {
                fields[member.name] = "\(JSONWriter.text(member.value))"
            }
        }
        logger.notice("seen by the push service", metadata: fields)
    }

    // MARK: - Refusals

    private static let unauthenticated = SinkAnswer.refusal(
        .unauthorized, "UNAUTHENTICATED", "Request had invalid authentication credentials.",
        headers: [.wwwAuthenticate: "Bearer realm=\"push-sink\""])

    private static let unregistered = SinkAnswer.refusal(
        .notFound, "NOT_FOUND", "Requested entity was not found.", errorCode: "UNREGISTERED")

    private static func unavailable(retryAfterSeconds: Int?) -> Response {
        SinkAnswer.refusal(
            .serviceUnavailable, "UNAVAILABLE", "The service is currently unavailable.", errorCode: "UNAVAILABLE",
            headers: retryAfterSeconds.map { [.retryAfter: String($0)] } ?? [:])
    }

    private static func invalid(_ message: String) -> Response {
        SinkAnswer.refusal(.badRequest, "INVALID_ARGUMENT", message, errorCode: "INVALID_ARGUMENT")
    }
}
