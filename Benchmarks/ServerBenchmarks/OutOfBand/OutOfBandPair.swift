import BackendAPI
import UAF

/// Screen and phone of one user: operations begin on the screen and are answered on the phone.
///
/// Each has a connection of its own.
struct OutOfBandPair: LoadSubject {
    /// Longest wait of the screen for one answer, which is shorter than the patience of its connection.
    private static let statusWaitMilliseconds: Int64 = 3_000

    private let origin: String
    private let network: PhoneNetwork
    private var owner: EnrolledPhone
    private var connections: (screen: PhoneConnection, phone: PhoneConnection)?

    /// Pair of a user, with new keys that the server at `origin` does not know yet.
    init(user: String, at origin: String, on network: PhoneNetwork) throws {
        self.origin = origin
        self.network = network
        owner = try EnrolledPhone(user: user)
    }

    /// Opens both connections, and registers the phone with a device record.
    mutating func prepare() async throws {
        let phone = try await openConnections().phone
        try await owner.register(at: origin, over: phone)
    }

    // MARK: - One round

    /// One operation: the screen dispatches by link, encrypted for the phone; the phone decrypts, redeems and responds;
    /// the screen queries the status.
    mutating func work() async throws { try await work(isWaiting: false) }

    /// The same; a screen that is waiting asks for the status before the phone responds, and is answered afterwards.
    mutating func work(isWaiting: Bool) async throws {
        let (screen, phone) = try await openConnections()
        let (token, session) = try await dispatched(over: screen)
        let status: SessionStatus.Status
        if isWaiting {
            async let awaited = Self.finalStatus(of: session, over: screen)
            try await owner.confirm(token, over: phone)
            status = try await awaited
        } else {
            try await owner.confirm(token, over: phone)
            status = try await Self.status(StatusRequest(sessionID: session), over: screen)
        }
        guard status == .succeeded else { throw BenchmarkFailure.otherStatus(status.rawValue) }
    }

    /// Waits for the end of the operation, on the screen.
    private static func finalStatus(
        of session: String, over screen: PhoneConnection
    ) async throws -> SessionStatus.Status {
        var status = SessionStatus.Status.tokenCreated
        // Cancelled when the phone fails: the status would stay as it is until the operation expires.
        while !status.isFinal, !Task.isCancelled {
            status = try await self.status(
                StatusRequest(sessionID: session, after: status, wait: statusWaitMilliseconds), over: screen)
        }
        return status
    }

    private static func status(
        _ request: StatusRequest, over screen: PhoneConnection
    ) async throws -> SessionStatus.Status {
        try SessionStatus(body: try await screen.post(request.body, to: .status)).status
    }

    private mutating func openConnections() async throws -> (screen: PhoneConnection, phone: PhoneConnection) {
        if let connections, connections.screen.isOpen, connections.phone.isOpen { return connections }
        connections?.screen.drop()
        connections?.phone.drop()
        let phone = try await network.connect()
        let opened = (screen: try await network.connect(accessKey: BenchmarkServer.accessKey), phone: phone)
        connections = opened
        return opened
    }

    /// Dispatches, and decrypts the payload of the link as the phone does.
    private func dispatched(over screen: PhoneConnection) async throws -> (token: String, session: String) {
        let request = DispatchRequest(
            GetUAFRequest(AuthenticationContext(username: owner.username)), dispatcher: .link,
            dispatchTargetID: owner.target)
        let answer = try DispatchAnswer(body: try await screen.post(request.body, to: .dispatchToken(.authentication)))
        guard let session = answer.sessionID, let link = answer.dispatcherInformation?.response,
            let payload = try EnrolledPhone.payload(inLink: link)
        else { throw BenchmarkFailure.notDispatched(answer.result.rawValue) }
        return (try owner.token(sealedIn: payload), session)
    }

    /// Closes both connections.
    mutating func hangUp() async throws {
        try await connections?.screen.close()
        try await connections?.phone.close()
        connections = nil
    }
}
