import { runService } from '@sevenfold/chassis/run-service';
import { variables } from './config';
import { seoService } from './service';

void runService(seoService, variables, process.env);
