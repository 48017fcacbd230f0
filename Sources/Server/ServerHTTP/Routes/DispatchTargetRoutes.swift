import BackendAPI
import HTTPTypes
import Hummingbird
import ServerCore
import UAF
import UAFService

/// Routes of the dispatch targets.
struct DispatchTargetRoutes {
    let shared: RouteServices

    func add(to routes: RouteBuilder) {
        let shared = shared
        routes.add(.createDispatchTarget) { exchange in
            let creation = try DispatchTargetCreation(body: exchange.body)
            let created = try await shared.services.targets.create(
                creation, authorization: try await shared.authenticator.authorization(of: exchange),
                client: shared.client(of: exchange))
            return exchange.answer(bytes: created.body, status: .created)
        }
        routes.add(.dispatchTargets) { exchange in
            let text = exchange.request.uri.queryParameters["username"].map { String($0) }
            guard let name = text.flatMap({ UserName($0) }), !name.text.utf8.contains(0) else {
                throw RequestRefusal.malformed
            }
            let list = try await shared.services.targets.list(
                of: name, authorization: try await shared.authenticator.initiator(of: exchange, scope: .dispatch))
            return exchange.answer(list)
        }
        routes.add(.changeDispatchTarget) { exchange in
            try await shared.counted {
                try await shared.services.targets.change(
                    try exchange.named(), signed: try exchange.signedBody(), client: shared.client(of: exchange))
                return exchange.empty
            }
        }
        routes.add(.deleteDispatchTarget) { exchange in
            try await shared.services.targets.remove(
                try exchange.named(), authorization: try await shared.authenticator.authorization(of: exchange),
                client: shared.client(of: exchange))
            return exchange.empty
        }
    }
}
