import BackendAPI
import Hummingbird
import ServerCore
import UAFService

/// Routes by which a phone shows that a chip holds its attestation key.
struct AttestationRoutes {
    let shared: RouteServices

    func add(to routes: RouteBuilder) {
        let shared = shared
        routes.add(.attestationCredential) { exchange in
            let request = try AttestationEnrolment.Request(body: exchange.body)
            try shared.countEnrolment(exchange)
            return exchange.answer(
                try await shared.services.attestation.begin(request, client: shared.client(of: exchange)))
        }
        routes.add(.attestationProof) { exchange in
            let answer = try AttestationEnrolment.Answer(body: exchange.body)
            try shared.countEnrolment(exchange)
            return exchange.answer(
                try shared.services.attestation.finish(answer, client: shared.client(of: exchange)))
        }
    }
}
