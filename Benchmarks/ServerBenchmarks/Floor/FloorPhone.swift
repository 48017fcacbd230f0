import BackendAPI

/// Phone that sends as many bytes as one that signs in, at the same times, and signs nothing.
struct FloorPhone: LoadSubject {
    private static let asked = [UInt8](repeating: UInt8(ascii: "x"), count: FloorExchange.request.asked)
    private static let answer = [UInt8](repeating: UInt8(ascii: "x"), count: FloorExchange.response.asked)

    private let network: PhoneNetwork
    private let hasFreshConnections: Bool
    private var connection: PhoneConnection?

    init(on network: PhoneNetwork, hasFreshConnections: Bool = false) {
        self.network = network
        self.hasFreshConnections = hasFreshConnections
    }

    mutating func prepare() async throws { connection = try await network.connect() }

    mutating func work() async throws {
        if hasFreshConnections {
            try await hangUp()
            try await prepare()
        }
        guard let connection else { throw BenchmarkFailure.connectionLost }
        _ = try await connection.post(Self.asked, to: .authenticationRequest)
        _ = try await connection.post(Self.answer, to: .authenticationResponse)
    }

    mutating func hangUp() async throws { try await connection?.close() }
}
