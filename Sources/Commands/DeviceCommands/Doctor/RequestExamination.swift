import BackendAPI
import BackendTransport
import UAF

/// Request for an authentication that names no user, as the server sends it to phones.
///
/// Every phone may get one; the server stores nothing for it and learns of no user. It contains the AppID and the
/// default policy, which applies to registrations too.
struct RequestExamination {
    enum Outcome {
        case request(AuthenticationRequest)
        case finding(DoctorFinding)
    }

    let base: String
    let transport: any HTTPTransport
    let patience: Duration

    func outcome() async -> Outcome {
        let endpoint = Endpoint.authenticationRequest
        let (content, accept) = endpoint.clientTypes
        let request = BackendRequest(
            .post, base + Endpoint.serviceRoot + endpoint.path,
            headers: [
                .init("Content-Type", content?.fieldValue ?? ""), .init("Accept", accept?.essence ?? "*/*"),
            ],
            body: GetUAFRequest(AuthenticationContext()).body, timeout: patience)
        guard let response = try? await transport.response(to: request) else {
            return .finding(
                ill(
                    "It does not answer when a phone asks it for a request.",
                    "Look into the log of the server, and of a proxy in front of it."))
        }
        guard response.status == 200 else { return .finding(refusal(response.status, endpoint.path)) }
        guard let answer = try? ReturnUAFRequest(body: response.body) else {
            return .finding(
                ill("The answers to phones are not FIDO UAF.", "Let the proxy pass /nevisfido on unchanged."))
        }
        guard answer.statusCode == .ok, let text = answer.uafRequest else {
            return .finding(
                DoctorFinding(
                    name: "request", verdict: .weak,
                    observation: "It makes no request without a user (UAF status \(answer.statusCode.rawValue)): AppID "
                        + "and policy cannot be looked at.",
                    advice: "Look at fido-uaf: policies: of the server (signet-server config check)."))
        }
        guard case .authentication(let message)? = try? OperationRequest(message: Array(text.utf8)) else {
            return .finding(ill("Phones cannot read its request.", "Upgrade the server, or the phone."))
        }
        return .request(message)
    }

    private func refusal(_ status: Int, _ path: String) -> DoctorFinding {
        switch status {
        case 429:
            DoctorFinding(
                name: "request", verdict: .weak, observation: "It asks this address to slow down (HTTP 429).",
                advice: "Wait and look again; server: rate-limit: and trusted-proxies: say who is counted together.")
        case 500...599:
            ill(
                "It can make no request now (HTTP \(status)).",
                "Look at the health of the server (management port, /nevisfido/health) and at its log.")
        default:
            ill(
                "Phones get no request from it (HTTP \(status) at \(Endpoint.serviceRoot)\(path)).",
                "Let the proxy in front of the server pass \(Endpoint.serviceRoot) on, POST included.")
        }
    }

    private func ill(_ observation: String, _ advice: String) -> DoctorFinding {
        DoctorFinding(name: "request", verdict: .ill, observation: observation, advice: advice)
    }
}
