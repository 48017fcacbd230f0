// What the sample app takes from SwiftUI; the names are Apple's, and so is their documentation. It is type-checked only.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported public import Foundation

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError("A primitive view has no body.") }
}

/// A view of the stand-in that has no parts of its own.
public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
    public var body: Never { fatalError("A primitive view has no body.") }
}

public struct EmptyView: PrimitiveView {}

public struct AnyStubView: PrimitiveView {
    init(_ content: any View) {}
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError("A primitive view has no body.") }
}

@resultBuilder
public enum ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> AnyStubView {
        AnyStubView(EmptyView())
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither(first: some View) -> AnyStubView { AnyStubView(first) }
    public static func buildEither(second: some View) -> AnyStubView { AnyStubView(second) }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
}

public enum HorizontalAlignment: Sendable {
    case leading, center, trailing
}

public struct VStack: PrimitiveView {
    public init(
        alignment: HorizontalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> some View
    ) {}
}

public struct Text: PrimitiveView {
    public init(_ content: some StringProtocol) {}
}

public struct Button: PrimitiveView {
    public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {}
}

public struct TextField: PrimitiveView {
    public init(_ title: some StringProtocol, text: Binding<String>) {}
}

public struct SecureField: PrimitiveView {
    public init(_ title: some StringProtocol, text: Binding<String>) {}
}

public struct ForEach: PrimitiveView {
    public init<Data: RandomAccessCollection, ID: Hashable>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> some View
    ) {}

    public init<Data: RandomAccessCollection>(
        _ data: Data, @ViewBuilder content: @escaping (Data.Element) -> some View
    ) where Data.Element: Identifiable {}
}

extension View {
    public func padding() -> some View { AnyStubView(self) }

    public func disabled(_ isDisabled: Bool) -> some View { AnyStubView(self) }

    public func task(_ action: @escaping @Sendable @MainActor () async -> Void) -> some View { AnyStubView(self) }
}

public struct Binding<Value> {
    let value: Value
}

@MainActor @propertyWrapper
public struct State<Value> {
    private let stored: Value

    public init(wrappedValue: Value) { stored = wrappedValue }

    public var wrappedValue: Value {
        get { stored }
        nonmutating set {}
    }

    public var projectedValue: Binding<Value> { Binding(value: stored) }
}

public final class ObservableObjectPublisher: Sendable {
    public func send() {}
}

public protocol ObservableObject: AnyObject {}

extension ObservableObject {
    public var objectWillChange: ObservableObjectPublisher { ObservableObjectPublisher() }
}

@MainActor @propertyWrapper
public struct ObservedObject<Object: ObservableObject> {
    public var wrappedValue: Object

    public init(wrappedValue: Object) { self.wrappedValue = wrappedValue }
}
