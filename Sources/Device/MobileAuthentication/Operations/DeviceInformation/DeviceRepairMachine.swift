/// The rules of mending: every step is tried, whatever came of the others.
struct DeviceRepairMachine: OperationMachine, ~Copyable {
    enum Effect: OperationEffect {
        case repair(DeviceRepair)

        /// What a server has done already has to be done here too.
        var outlivesCancellation: Bool {
            switch self {
            case .repair(.removeHere), .repair(.changeHere): true
            case .repair: false
            }
        }
    }

    enum Event: Sendable {
        case answer(DeviceAnswer<Void>)
        case canceled
    }

    typealias Output = [ServerRound<Void>.Refusal]
    typealias Failure = Never
    static var cancellation: Event { .canceled }

    private var waiting: [DeviceRepair]
    private var current: DeviceRepair?
    private var refusals: [ServerRound<Void>.Refusal] = []

    init(_ repairs: [DeviceRepair]) { waiting = repairs }

    mutating func start() -> Step<Effect, [ServerRound<Void>.Refusal], Never> { next() }

    mutating func resume(_ event: Event) -> Step<Effect, [ServerRound<Void>.Refusal], Never> {
        guard let repair = current else { return .finish(.success(refusals)) }
        switch event {
        case .answer(.done): break
        case .answer(.refused(let refusal)): refusals.append(.init(server: repair.server, refusal: refusal))
        case .canceled: refusals.append(.init(server: repair.server, refusal: .failed(.canceled)))
        }
        return next()
    }

    private mutating func next() -> Step<Effect, [ServerRound<Void>.Refusal], Never> {
        current = waiting.isEmpty ? nil : waiting.removeFirst()
        return current.map { .perform(.repair($0)) } ?? .finish(.success(refusals))
    }
}
