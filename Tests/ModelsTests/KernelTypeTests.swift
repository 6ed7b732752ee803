import FaceKitTensor
import Foundation
import TestSupport
import Testing

@testable import FaceKitModels

/// Types are refused while a model is compiled, by `infer` or by the choice of a kernel, and never by a
/// kernel that runs.
@Suite("Types and kernels")
struct KernelTypeTests {
  /// A node alone, all of it of another type, with zeros for data.
  private static func retyped(
    _ node: Graph.Node, of graph: Graph, from data: ElementType, to type: ElementType
  ) -> Graph? {
    var alone = graph
    alone.nodes = [node]
    for value in node.inputs.compactMap({ $0 }) {
      if alone.values[value].type == data {
        alone.values[value].type = type
        alone.values[value].constant = nil
      }
      guard alone.values[value].constant == nil else { continue }
      guard
        let bytes = alone.values[value].type.bytes(for: alone.values[value].shape.count)
      else { return nil }
      alone.values[value].constant = StorageView(Storage(count: bytes))
    }
    for output in node.outputs where alone.values[output].type == data {
      alone.values[output].type = type
    }
    return alone
  }

  @Test("what infer and the choice let through, the kernel computes")
  func everyTypeIsDecided() throws {
    var (computed, refused) = (0, 0)
    for example in CaseFolder.own.cases {
      let url = CaseFolder.own.url.appendingPathComponent(example.model)
      let graph = try TFLiteModel(bytes: [UInt8](Data(contentsOf: url))).makeGraph()
      for node in graph.nodes {
        for data in Set(node.inputs.compactMap { $0.map { graph.values[$0].type } }) {
          for type in ElementType.allCases {
            guard var alone = Self.retyped(node, of: graph, from: data, to: type) else { continue }
            do throws(ModelError) {
              try alone.infer(0, limits: .default)
              _ = try alone.chooseKernel(for: alone.nodes[0], .reference)
            } catch {
              refused += 1
              continue
            }
            do throws(ModelError) {
              _ = try alone.evaluate(0, limits: .default)
              computed += 1
            } catch {
              #expect(
                !error.what.hasPrefix("no kernel takes"),
                "\(node.operator.name) on \(type.name): \(error)")
            }
          }
        }
      }
    }
    #expect(computed > 100 && refused > 100, "\(computed) computed, \(refused) refused")
  }

  @Test("a type that no candidate takes is an error when a model is compiled, and says which")
  func noCandidate() throws {
    struct FloatsOnly: Operator {
      var name: String { "FLOATS_ONLY" }
      var kernels: [KernelCandidate] { [reference(types: [.float32])] }
      func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
        [TensorType(try inputs[0].type, try inputs[0].shape)]
      }
      func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
        { (_) throws(ModelError) in }
      }
    }
    let values = [
      Graph.Value(name: "x", type: .int8, shape: [2]),
      Graph.Value(name: "y", type: .int8, shape: [2]),
    ]
    let graph = Graph(
      values: values,
      nodes: [Graph.Node(FloatsOnly().erased, inputs: [0], outputs: [1], sources: [0])],
      inputs: [0], outputs: [1])
    for backend in [Backend.simd, .reference] {
      do throws(ModelError) {
        _ = try CompiledModel(graph: graph, options: EngineOptions(backend: backend))
        Issue.record("compiled for \(backend.rawValue)")
      } catch {
        #expect(error.code == .type)
        #expect(error.what == "no kernel takes this FLOATS_ONLY (reference: does not take int8)")
        #expect(error.location == .op(index: 0, name: "FLOATS_ONLY"))
      }
    }
  }
}
