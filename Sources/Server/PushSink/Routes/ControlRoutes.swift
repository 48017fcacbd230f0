import Hummingbird
import ServerHTTP
import StrictJSON

/// Control routes of tests and demonstrations: set the behaviour, revoke access tokens, list the messages seen.
struct ControlRoutes: Sendable {
    let state: SinkState

    func add(to router: Router<BackendRequestContext>) {
        router.post("/sink/behaviour") { request, _ in
            guard let json = await request.json(), let behaviour = try? SinkBehaviour(json: json) else {
                return SinkAnswer.localRefusal(.badRequest, "no behaviour")
            }
            await state.behave(behaviour)
            return Response(status: .noContent)
        }
        router.post("/sink/access-tokens/revoke") { _, _ in
            await state.revokeAccessTokens()
            return Response(status: .noContent)
        }
        router.get("/sink/messages") { _, _ in
            SinkAnswer.json(["messages": .array(await state.sightings.map { .object($0.json) })])
        }
    }
}
