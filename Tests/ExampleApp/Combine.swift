// What the example application takes from Combine; the names are Apple's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Dispatch

public struct AnyPublisher<Output, Failure: Error> {
    public func compactMap<Mapped>(_ transform: @escaping (Output) -> Mapped?) -> AnyPublisher<Mapped, Failure> {
        AnyPublisher<Mapped, Failure>()
    }

    public func receive(on queue: DispatchQueue) -> Self { self }

    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable { AnyCancellable() }
}

public final class CurrentValueSubject<Output, Failure: Error> {
    public init(_ value: Output) {}

    public func send(_ value: Output) {}

    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher() }
}

public final class AnyCancellable: Hashable {
    public static func == (one: AnyCancellable, other: AnyCancellable) -> Bool { one === other }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }
}
