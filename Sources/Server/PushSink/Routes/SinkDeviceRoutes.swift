import HTTPTypes
import Hummingbird
import ServerHTTP
import StrictJSON

/// Routes of the operating system's part of the real service: a registration token for a phone, and its messages.
struct SinkDeviceRoutes: Sendable {
    private static let longestWait = 60

    let state: SinkState

    func add(to router: Router<BackendRequestContext>) {
        router.post("/sink/devices") { _, _ in
            guard let token = await state.register() else {
                return SinkAnswer.localRefusal(.tooManyRequests, "too many devices")
            }
            return SinkAnswer.json(["registrationToken": .string(token)], status: .created)
        }
        router.delete("/sink/devices/{token}") { _, context in
            await state.unregister(context.parameters.get("token") ?? "")
            return Response(status: .noContent)
        }
        router.get("/sink/devices/{token}/messages") { request, context in
            await messages(for: context.parameters.get("token") ?? "", asked: request)
        }
    }

    /// Answers at once when there is something behind number `after`, else when something comes or `wait` is over.
    private func messages(for token: String, asked request: Request) async -> Response {
        let after = request.uri.queryParameters.get("after").flatMap { Int($0) } ?? 0
        let wait = request.uri.queryParameters.get("wait").flatMap { Int($0) } ?? 0
        guard (0...Self.longestWait).contains(wait), after >= 0 else {
            return SinkAnswer.localRefusal(.badRequest, "after is a number, wait is 0 to 60 seconds")
        }
        guard await state.knows(token) else { return Self.unknown }
        // The bell is in place before the messages are read, so that none that arrives in between is missed.
        let bell = await state.bell(for: token)
        if let waiting = await state.messages(for: token, after: after), waiting.isEmpty, wait > 0 {
            await bell.wait(for: .seconds(wait))
        }
        guard let waiting = await state.messages(for: token, after: after) else { return Self.unknown }
        return SinkAnswer.json(["messages": .array(waiting.map { .object(Self.message($0)) })])
    }

    private static let unknown = SinkAnswer.localRefusal(.notFound, "no such device")

    /// The message as the operating system hands it to the application.
    private static func message(_ waiting: SinkDevice.Waiting) -> JSONObject {
        let message = waiting.sighting.message
        let data = message.data.map { JSONObject.Member($0.name, .string($0.value)) }
        let hasNotification = message.title != nil || message.body != nil
        return [
            "number": .integer(waiting.number), "name": .string(waiting.sighting.name),
            "notification": hasNotification
                ? .object(["title": message.title.map(JSONValue.string), "body": message.body.map(JSONValue.string)])
                : nil,
            "data": .object(JSONObject(distinct: data)),
        ]
    }
}
