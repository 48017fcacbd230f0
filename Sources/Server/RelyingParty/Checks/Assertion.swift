/// Limit on the number of assertions: no more than any policy can ask for.
///
/// Every assertion costs a look-up and a signature verification, so an endless list would be a cheap attack. They are
/// counted before anything else is done with them.
enum AssertionCountCheck {
    private static let limit = 16

    static func require(_ count: Int) throws(RefusalReason) {
        guard count <= limit else { throw .tooManyAssertions }
    }
}
