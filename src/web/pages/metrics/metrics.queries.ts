// What the metrics page asks: a question a chart, so that each comes, and fails, by itself.
import { graphql } from "../../lib/graphql.ts";

export const traceSeries = graphql(`
  query TraceSeries($id: ID!, $timeRange: TimeRange!, $bins: TimeBinConfig!) {
    node(id: $id) {
      __typename
      ... on Project {
        traceCountByStatusTimeSeries(timeRange: $timeRange, timeBinConfig: $bins) {
          data { timestamp okCount errorCount }
        }
      }
    }
  }
`);

export const latencySeries = graphql(`
  query LatencySeries($id: ID!, $timeRange: TimeRange!, $bins: TimeBinConfig!) {
    node(id: $id) {
      __typename
      ... on Project {
        traceLatencyMsPercentileTimeSeries(timeRange: $timeRange, timeBinConfig: $bins) {
          data { timestamp p50 p95 p99 }
        }
      }
    }
  }
`);

export const tokenSeries = graphql(`
  query TokenSeries($id: ID!, $timeRange: TimeRange!, $bins: TimeBinConfig!) {
    node(id: $id) {
      __typename
      ... on Project {
        traceTokenCountTimeSeries(timeRange: $timeRange, timeBinConfig: $bins) {
          data { timestamp promptTokenCount completionTokenCount }
        }
      }
    }
  }
`);

export const costSeries = graphql(`
  query CostSeries($id: ID!, $timeRange: TimeRange!, $bins: TimeBinConfig!, $by: CostDimension!, $first: Int!) {
    node(id: $id) {
      __typename
      ... on Project {
        costGroups(by: $by, timeRange: $timeRange, timeBinConfig: $bins, first: $first) {
          timestamps all groups { value costs }
        }
      }
    }
  }
`);

export const topCosts = graphql(`
  query TopCosts($id: ID!, $timeRange: TimeRange!, $bins: TimeBinConfig!) {
    node(id: $id) {
      __typename
      ... on Project {
        models: costGroups(by: MODEL, timeRange: $timeRange, timeBinConfig: $bins, first: 50) {
          groups { value cost tokens unknownCount }
        }
        users: costGroups(by: USER, timeRange: $timeRange, timeBinConfig: $bins, first: 8) {
          groups { value cost unknownCount }
        }
      }
    }
  }
`);

export const costSince = graphql(`
  query CostSince($id: ID!, $timeRange: TimeRange) {
    node(id: $id) {
      __typename
      ... on Project { costSummary(timeRange: $timeRange) { total { cost } } }
    }
  }
`);

export const spanSeries = graphql(`
  query SpanSeries($id: ID!, $timeRange: TimeRange!, $bins: TimeBinConfig!, $condition: String) {
    node(id: $id) {
      __typename
      ... on Project {
        spanCountTimeSeries(timeRange: $timeRange, timeBinConfig: $bins, filterCondition: $condition) {
          data { timestamp errorCount totalCount }
        }
      }
    }
  }
`);

export const groupVocabulary = graphql(`
  query GroupVocabulary($id: ID!) {
    node(id: $id) {
      __typename
      ... on Project { spanFilterVocabulary { name type description category iterableName values } }
    }
  }
`);

export const groupSeries = graphql(`
  query GroupSeries($id: ID!, $timeRange: TimeRange!, $bins: TimeBinConfig!, $attribute: String!,
      $measure: AttributeGroupMeasure!, $condition: String, $first: Int!) {
    node(id: $id) {
      __typename
      ... on Project {
        attributeGroups(attribute: $attribute, measure: $measure, timeRange: $timeRange, timeBinConfig: $bins,
            filterCondition: $condition, first: $first) {
          timestamps groups { value amounts } others
        }
      }
    }
  }
`);

export const annotationSeries = graphql(`
  query AnnotationSeries($id: ID!, $timeRange: TimeRange!, $bins: TimeBinConfig!) {
    node(id: $id) {
      __typename
      ... on Project {
        span: spanAnnotationMetricsTimeSeries(timeRange: $timeRange, timeBinConfig: $bins) {
          names
          data { timestamp annotationSummaries { name meanScore humanMeanScore programMeanScore labelFractions { label fraction } } }
        }
        trace: traceAnnotationMetricsTimeSeries(timeRange: $timeRange, timeBinConfig: $bins) {
          names
          data { timestamp annotationSummaries { name meanScore humanMeanScore programMeanScore labelFractions { label fraction } } }
        }
        session: sessionAnnotationMetricsTimeSeries(timeRange: $timeRange, timeBinConfig: $bins) {
          names
          data { timestamp annotationSummaries { name meanScore humanMeanScore programMeanScore labelFractions { label fraction } } }
        }
      }
    }
  }
`);

export const traceHistograms = graphql(`
  query TraceHistograms($id: ID!, $timeRange: TimeRange!) {
    node(id: $id) {
      __typename
      ... on Project {
        latency: traceLatencyMsHistogram(timeRange: $timeRange) { min max count }
        tokens: traceTokenCountHistogram(timeRange: $timeRange) { min max count }
      }
    }
  }
`);

export const scoreHistograms = graphql(`
  query ScoreHistograms($id: ID!, $timeRange: TimeRange!) {
    node(id: $id) {
      __typename
      ... on Project {
        span: spanAnnotationScoreHistograms(timeRange: $timeRange) { name bins { min max count } humanCounts }
        trace: traceAnnotationScoreHistograms(timeRange: $timeRange) { name bins { min max count } humanCounts }
        session: sessionAnnotationScoreHistograms(timeRange: $timeRange) { name bins { min max count } humanCounts }
      }
    }
  }
`);

export const agreements = graphql(`
  query Agreements($id: ID!, $timeRange: TimeRange!) {
    node(id: $id) {
      __typename
      ... on Project {
        span: spanAnnotationAgreements(timeRange: $timeRange) {
          name categories { label min max } cells { people programs count } pairCount agreedCount omittedPairCount kappa
        }
        trace: traceAnnotationAgreements(timeRange: $timeRange) {
          name categories { label min max } cells { people programs count } pairCount agreedCount omittedPairCount kappa
        }
        session: sessionAnnotationAgreements(timeRange: $timeRange) {
          name categories { label min max } cells { people programs count } pairCount agreedCount omittedPairCount kappa
        }
      }
    }
  }
`);

export const topValues = graphql(`
  query TopValues($id: ID!, $timeRange: TimeRange) {
    node(id: $id) {
      __typename
      ... on Project {
        spanFacets(timeRange: $timeRange) {
          models(first: 8) { value count }
          errorTypes(first: 8) { value count }
          latencies { minMs count }
        }
      }
    }
  }
`);

export const topSpans = graphql(`
  query TopSpans($id: ID!, $timeRange: TimeRange, $condition: String) {
    node(id: $id) {
      __typename
      ... on Project {
        spanFacets(timeRange: $timeRange, filterCondition: $condition) {
          names(first: 8) { value count }
        }
      }
    }
  }
`);
